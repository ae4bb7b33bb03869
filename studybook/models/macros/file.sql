-- The name of a raw file within its run: what is said of a run names that.
CREATE OR REPLACE MACRO name_in_run(file, run_id) AS
    if(starts_with(file, run_id || '/'), file[length(run_id) + 2:], file);
