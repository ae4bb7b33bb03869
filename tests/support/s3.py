"""An S3 server of this machine, which libraries for S3 take for the one to ask."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.support.processes import wait_until


@contextmanager
def s3(folder: Path, bucket: str) -> Iterator[Any]:
    """Start a server with a bucket, and have this process and those that it starts use it.

    Parameters
    ----------
    folder : pathlib.Path
        For its log.
    bucket : str
        The bucket.

    Yields
    ------
    boto3 client
        What writes into it.
    """
    import boto3

    log = folder / "s3.log"
    command = [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", "0"]
    with log.open("wb") as out:
        server = subprocess.Popen(command, stdout=out, stderr=out, start_new_session=True)
    try:
        wait_until(lambda: re.search(rb"Running on (http://\S+)", log.read_bytes()), server)
        (where,) = re.findall(r"Running on (http://\S+)", log.read_text())
        with pytest.MonkeyPatch.context() as patch:
            for name, value in {
                "AWS_ENDPOINT_URL": where, "AWS_ACCESS_KEY_ID": "of",
                "AWS_SECRET_ACCESS_KEY": "tests", "AWS_DEFAULT_REGION": "us-east-1",
            }.items():  # fmt: skip
                patch.setenv(name, value)
            client = boto3.client("s3")
            client.create_bucket(Bucket=bucket)
            yield client
    finally:
        os.killpg(server.pid, signal.SIGKILL)
        server.wait()
