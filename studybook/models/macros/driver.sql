-- What holds for all hosts and all names together, or where an export has no such rows, all rows.
CREATE OR REPLACE MACRO of_all(is_all, is_any) AS is_all OR NOT is_any;
