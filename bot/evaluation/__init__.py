"""Scores the analysis on labelled cases: pure comparisons, no analysis of their own."""
