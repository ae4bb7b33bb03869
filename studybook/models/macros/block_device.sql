-- The letters that Linux gives to the disk of that number, from 0: a to z, aa to zz, aaa …
CREATE OR REPLACE MACRO disk_letters(number) AS
    CASE
        WHEN number < 26 THEN chr((97 + number)::INTEGER)
        WHEN number < 702 THEN
            chr((96 + number // 26)::INTEGER) || chr((97 + number % 26)::INTEGER)
        ELSE
            chr((96 + (number // 26 - 1) // 26)::INTEGER)
            || chr((97 + (number // 26 - 1) % 26)::INTEGER) || chr((97 + number % 26)::INTEGER)
    END;

-- The name of a block device that is printed as dev<major>-<minor>, where Linux fixes the major
-- number (admin-guide/devices.txt): 94 is dasd with 4 minors to a disk, 8, 65 to 71 and 128 to 135
-- are sd with 16. Other majors are given out at boot, so their devices keep the printed name.
CREATE OR REPLACE MACRO device_number(device, part) AS
    regexp_extract(device, '^dev(\d{1,4})-(\d{1,7})$', part)::BIGINT;

CREATE OR REPLACE MACRO named_device(prefix, number, minors) AS
    prefix || disk_letters(number // minors) || coalesce(nullif(number % minors, 0)::VARCHAR, '');

CREATE OR REPLACE MACRO device_name(device) AS
    CASE
        WHEN NOT regexp_matches(device, '^dev\d{1,4}-\d{1,7}$') THEN device
        WHEN device_number(device, 1) = 94 THEN named_device('dasd', device_number(device, 2), 4)
        WHEN device_number(device, 1) = 8 THEN named_device('sd', device_number(device, 2), 16)
        WHEN device_number(device, 1) BETWEEN 65 AND 71 THEN
            named_device('sd', 256 * (device_number(device, 1) - 64) + device_number(device, 2), 16)
        WHEN device_number(device, 1) BETWEEN 128 AND 135 THEN
            named_device(
                'sd', 256 * (device_number(device, 1) - 120) + device_number(device, 2), 16
            )
        ELSE device
    END;
