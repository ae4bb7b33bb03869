-- Processors in use by each ECM node in the stable phase.
SELECT * EXCLUDE (role) FROM phase_host_cpu WHERE role = 'ecm-node'
