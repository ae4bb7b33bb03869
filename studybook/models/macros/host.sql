-- Where the blocks of a file system go to disk: at its servers, else at its clients, else anywhere.
CREATE OR REPLACE MACRO file_system_place(kind) AS
    CASE kind WHEN 'file-server' THEN 1 WHEN 'file-client' THEN 2 ELSE 3 END;

-- By what values of the hosts of a run are told apart.
CREATE OR REPLACE MACRO host_and_role(host, role) AS
    if(role IS NULL, MAP {'host': host}, MAP {'host': host, 'role': role});
