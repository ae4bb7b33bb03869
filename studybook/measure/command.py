"""Commands, each of which writes one raw export, and experiments made of them."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Command:
    """A command whose output is a raw export.

    Parameters
    ----------
    file : str
        Name of the raw export.
    argv : tuple of str
        The command; it runs in the folder of the test files, so their names are relative.
    proof : str
        Regular expression of a line that the output has where the tool has come to its end: exit
        codes do not tell.
    seconds : float
        How long it will take, roughly.
    mib : float
        Disk space that it needs meanwhile, in MiB.
    at_once : int
        How many of it run at the same time; their outputs follow one another in the file.
    errors_too : bool
        Whether the export is what the tool prints on standard error, too.
    environment : mapping
        Variables that it is given.
    attempts : int
        How often it is run before it has failed, where the tool may well end without a result.
    """

    file: str
    argv: tuple[str, ...]
    proof: str
    seconds: float
    mib: float = 0.0
    at_once: int = 1
    errors_too: bool = False
    environment: Mapping[str, str] = field(default_factory=dict)
    attempts: int = 1

    @property
    def text(self) -> str:
        """The command as it would be typed."""
        return command_text(self.argv, self.environment, self.at_once)


@dataclass(frozen=True)
class Service:
    """A server that the commands of an experiment need, on a port of this machine."""

    argv: tuple[str, ...]
    port: int

    @property
    def text(self) -> str:
        """The command as it would be typed."""
        return f"{command_text(self.argv)} &"


@dataclass(frozen=True)
class Experiment:
    """Commands that answer one question.

    Parameters
    ----------
    name : str
        The name that runs, factors and the option ``--experiments`` use.
    title : str
        What is measured.
    commands : tuple of Command
        In their order.
    tools : tuple of str
        Names of the tools, for their releases to be noted.
    notes : tuple of str
        What a reader of the numbers must know.
    service : Service, optional
        What must run beside the commands.
    """

    name: str
    title: str
    commands: tuple[Command, ...]
    tools: tuple[str, ...]
    notes: tuple[str, ...] = ()
    service: Service | None = None

    @property
    def seconds(self) -> float:
        """How long its commands will take, roughly."""
        return sum(command.seconds for command in self.commands)


def command_text(
    argv: tuple[str, ...], environment: Mapping[str, str] | None = None, at_once: int = 1
) -> str:
    """A command as it would be typed, with its variables; and how many of it run at once."""
    variables = [f"{name}={shlex.quote(value)}" for name, value in (environment or {}).items()]
    text = " ".join([*variables, shlex.join(argv)])
    return text if at_once == 1 else f"{at_once} at once: {text}"
