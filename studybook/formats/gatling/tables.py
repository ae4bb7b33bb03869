"""The tables of Gatling's results."""

from __future__ import annotations

from studybook.formats.contract import tables

TABLES = RUN, REQUEST, GROUP, USER, ERROR = tables("""
gatling_run: one run of a simulation
    time_utc TIMESTAMP, simulation VARCHAR, simulation_id VARCHAR, description VARCHAR,
    -- Of release 2: 2.0, the version of the log.
    version VARCHAR, line BIGINT

gatling_request: one request; a redirect is one of its own
    time_utc TIMESTAMP, end_utc TIMESTAMP, elapsed_ms BIGINT,
    -- Scenario of release 2; number of the virtual user to 3.3.
    scenario VARCHAR, user_no VARCHAR,
    -- Outer to inner, with commas between them.
    group_path VARCHAR, name VARCHAR, success BOOLEAN, message VARCHAR, line BIGINT

gatling_group: one pass of a virtual user through a group of requests
    time_utc TIMESTAMP, end_utc TIMESTAMP,
    -- From first to last, with pauses; and the response times of its requests together.
    duration_ms BIGINT, elapsed_ms BIGINT, scenario VARCHAR, user_no VARCHAR, group_path VARCHAR,
    success BOOLEAN, line BIGINT

gatling_user: the start or the end of one virtual user
    time_utc TIMESTAMP, starts BOOLEAN, scenario VARCHAR, user_no VARCHAR, line BIGINT

gatling_error: one error of a scenario: a request that could not be made
    time_utc TIMESTAMP, message VARCHAR, line BIGINT
""")
