-- Four digits of a number, and none lost before the point.
CREATE OR REPLACE MACRO four_digits(value) AS
    if(abs(value) >= 1000, format('{:,.0f}', value), printf('%.4g', value));
