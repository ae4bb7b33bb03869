-- The name of a raw file within its run: what is said of a run names that.
CREATE OR REPLACE MACRO name_in_run(file, run_id) AS
    if(starts_with(file, run_id || '/'), file[length(run_id) + 2:], file);

-- The name of a file without the number of a repetition that it says it has: wrk-rep1.txt is wrk.txt.
-- A number alone does not say so: client-1.txt and client-2.txt may have run at the same time.
CREATE OR REPLACE MACRO name_of_repetitions(file) AS
    regexp_replace(file, '(^|[^A-Za-z0-9])(rep|repetition|iteration|iter|try)[-_]?[0-9]+([^A-Za-z0-9]|$)', '\3', 'i');
