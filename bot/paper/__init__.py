"""Answers on paper: what would have been said on issues of the past, for the maintainers who decide. Posts nothing.

history --walk.py--> PaperAnswer[] (answer.py), kept in a file --report.py--> HTML and Markdown
ticked report --ticks.py--> labelled cases for `burn-triage evaluate`
"""
