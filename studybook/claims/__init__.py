"""Published values and claims, and what a data set says of them."""

from studybook.claims.judge import evaluate, evaluate_all, published
from studybook.claims.verdict import Judgement, Verdict

__all__ = ["Judgement", "Verdict", "evaluate", "evaluate_all", "published"]
