-- Processors in use by each ECM node.
SELECT * EXCLUDE (role) FROM phase_host_cpu WHERE role = 'ecm-node'
