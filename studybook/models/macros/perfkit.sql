-- How far a printed number may be from what it was before it was rounded.
CREATE OR REPLACE MACRO perfkit_rounding(text) AS
    0.5 * 10.0 ** -length(regexp_extract(text, '\.(\d*)', 1));
