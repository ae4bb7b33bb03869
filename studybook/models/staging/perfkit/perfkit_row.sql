-- Rows of reports as in perfkit_printed_row, each once.
SELECT * FROM perfkit_printed_row WHERE copy_no = 1
