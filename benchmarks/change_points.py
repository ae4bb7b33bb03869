"""How often change points are told that are none, and how soon those that are.

``python -m benchmarks.change_points`` prints both, by the length of the history and by the noise.
Histories are around 100 with a deviation of 3; a change is one of a tenth.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from studybook.statistics.change import ALPHA, changes

Values = npt.NDArray[np.float64]
Noise = Callable[[np.random.Generator, int], Values]

#: Noise without a change, by its name.
NOISES: dict[str, Noise] = {
    "normal": lambda random, n: 100 + 3 * random.standard_normal(n),
    "heavy tails (t3)": lambda random, n: 100 + 3 * random.standard_t(3, n),
    "skewed (log-normal)": lambda random, n: 100 * np.exp(0.3 * random.standard_normal(n)),
    "one in twenty far out": lambda random, n: np.where(
        random.random(n) < 0.05, 150.0, 100 + 3 * random.standard_normal(n)
    ),
}

#: A change counts as found where it is told at most so many runs beside its place.
BESIDE = 2


def false_alarms(noise: str, runs: int, histories: int, seed: int = 0) -> int:
    """Count the histories of noise in which a change is told.

    Parameters
    ----------
    noise : str
        One of :data:`NOISES`.
    runs : int
        The length of each.
    histories : int
        How many to make.
    seed : int
        Of the noise.
    """
    random = np.random.default_rng([seed, runs])
    return sum(bool(changes(NOISES[noise](random, runs))) for _ in range(histories))


def found_within(before: int, after: int, histories: int, shift: float = 0.1, seed: int = 0) -> int:
    """Count the histories in which a change is told so many runs after it.

    Parameters
    ----------
    before, after : int
        Runs before the change, and since.
    histories : int
        How many to make.
    shift : float
        The change as a share.
    seed : int
        Of the noise.
    """
    random = np.random.default_rng([seed, before, after])
    count = 0
    for _ in range(histories):
        values = NOISES["normal"](random, before + after)
        values[before:] *= 1 + shift
        count += any(abs(each.at - before) <= BESIDE for each in changes(values))
    return count


def main() -> None:
    """Print the two tables."""
    histories = 1000
    print(f"False alarms, % of {histories} histories without a change (wanted: at most 1)")
    for noise in NOISES:
        for runs in (20, 50):
            alarms = 100 * false_alarms(noise, runs, histories) / histories
            print(f"  {noise:<24} {runs:>3} runs  {alarms:.1f}")
    print(
        f"Found, % of {histories} histories with a change of 10 % in noise of 3 % (told at {ALPHA})"
    )
    for before in (15, 20, 30, 50):
        shares = [100 * found_within(before, after, histories) / histories for after in (3, 4, 5)]
        words = ", ".join(
            f"{share:.1f} after {n} runs" for share, n in zip(shares, (3, 4, 5), strict=True)
        )
        print(f"  {before:>3} runs before: {words}")


if __name__ == "__main__":
    main()
