-- Operations of FileNet P8 in the stable phase: of the Content Engine (CE) and the Process Engine
-- (PE), which the load driver names before the operation, such as "PE launch". The document shows
-- their response times by groups (Table 9): whatever reads is a retrieval for CE.
CREATE OR REPLACE MACRO operation_group(name) AS CASE
    WHEN regexp_matches(name, '^CE (retriev|search|query|get|folder)', 'i') THEN 'CE retrieval'
    WHEN regexp_matches(name, '^CE (create|delete)', 'i') THEN 'CE create'
    WHEN regexp_matches(name, '^CE (update|check)', 'i') THEN 'CE update'
    ELSE name
END;
