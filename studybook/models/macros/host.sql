-- Where the blocks of a file system go to disk: at its servers, else at its clients, else anywhere.
CREATE OR REPLACE MACRO file_system_place(kind) AS
    CASE kind WHEN 'file-server' THEN 1 WHEN 'file-client' THEN 2 ELSE 3 END;
