-- Four digits of a number, and none lost before the point.
CREATE OR REPLACE MACRO four_digits(value) AS
    if(abs(value) >= 1000, format('{:,.0f}', value), printf('%.4g', value));

-- Parts of a whole, each rounded, may make a little more than it: 67 and 34 of vmstat are 100 %, as are 60.01 and
-- 40.00 of sar.
-- What is further above is none of rounding, and stays as it is printed.
CREATE OR REPLACE MACRO of_rounded_percents(total) AS
    if(total > 100 AND total <= 102, 100, total);
