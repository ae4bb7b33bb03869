"""The tables that the readers of IOR's output forms fill."""

from __future__ import annotations

from studybook.formats.contract import tables

TABLES = RUN, TEST, ITERATION, SUMMARY, MAXIMUM, MESSAGE, RANK = tables("""
ior_run: one start of IOR
    run_no BIGINT, version VARCHAR, version_source VARCHAR, command VARCHAR, machine VARCHAR, system
    VARCHAR, began TIMESTAMP, finished TIMESTAMP, status VARCHAR, status_reason VARCHAR, line BIGINT

ior_test: one test of a run: the parameters that its iterations share
    run_no BIGINT, test_no BIGINT, began TIMESTAMP, api VARCHAR, api_version VARCHAR, access
    VARCHAR, type VARCHAR, ordering_in_file VARCHAR, ordering_inter_file VARCHAR, path VARCHAR,
    nodes BIGINT, tasks BIGINT, tasks_per_node BIGINT, repetitions BIGINT, segments BIGINT,
    transfer_size_bytes BIGINT, block_size_bytes BIGINT, aggregate_size_bytes BIGINT, stonewall_s
    DOUBLE, options VARCHAR, line BIGINT

ior_iteration: one phase (write, read or remove) of one repetition
    run_no BIGINT, test_no BIGINT, operation VARCHAR, iteration BIGINT, began TIMESTAMP,
    bandwidth_mib_s DOUBLE, ops_per_s DOUBLE, latency_s DOUBLE, block_kib DOUBLE, transfer_kib
    DOUBLE, open_s DOUBLE, transfer_s DOUBLE, close_s DOUBLE, total_s DOUBLE, line BIGINT

ior_summary: one operation of one test over its repetitions, as IOR sums it up
    run_no BIGINT, test_no BIGINT, operation VARCHAR, repetitions BIGINT, max_mib_s DOUBLE,
    min_mib_s DOUBLE, mean_mib_s DOUBLE, sd_mib_s DOUBLE, max_ops_per_s DOUBLE, min_ops_per_s
    DOUBLE, mean_ops_per_s DOUBLE, sd_ops_per_s DOUBLE, mean_s DOUBLE, stonewall_s DOUBLE,
    stonewall_mib_s DOUBLE, tasks BIGINT, tasks_per_node BIGINT, file_per_process BOOLEAN,
    reorder_tasks BOOLEAN, reorder_offset BIGINT, reorder_random BOOLEAN, reorder_seed BIGINT,
    segments BIGINT, block_size_bytes BIGINT, transfer_size_bytes BIGINT, aggregate_size_bytes
    BIGINT, api VARCHAR, reference BIGINT, line BIGINT

ior_maximum: the best rate of one operation of one test, in both units
    run_no BIGINT, test_no BIGINT, operation VARCHAR, max_mib_s DOUBLE, max_mb_s DOUBLE, line BIGINT

ior_message: one warning, error or note
    run_no BIGINT, test_no BIGINT, level VARCHAR, text VARCHAR, line BIGINT

ior_rank: one task (MPI rank) in one phase
    operation VARCHAR, rank BIGINT, runtime_with_open_close_s DOUBLE, runtime_s DOUBLE,
    throughput_with_open_close_bytes_s DOUBLE, throughput_bytes_s DOUBLE, line BIGINT
""")
