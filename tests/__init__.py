"""Tests of the study book; ``make test`` runs them."""
