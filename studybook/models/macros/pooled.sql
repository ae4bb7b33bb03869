-- Mean and population standard deviation of several samples taken together, from the number,
-- mean and population standard deviation of each.
CREATE OR REPLACE MACRO pooled_mean(n, mean) AS sum(n * mean) / sum(n);

CREATE OR REPLACE MACRO pooled_sd(n, mean, sd) AS
    sqrt(greatest(0, sum(n * (sd * sd + mean * mean)) / sum(n) - pooled_mean(n, mean) ** 2));
