-- Each row once.
SELECT * FROM perfkit_printed_row WHERE copy_no = 1
