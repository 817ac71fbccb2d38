# The short loops of a contributor. `deploy/test` sets up the environment that they use.
.DEFAULT_GOAL := help
.PHONY: help check test types docs kb

PYTHON ?= $(firstword $(wildcard .venv-dev/*/bin/python) python3)

help: ## this list
	@sed -n 's/^\([a-z]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 8

check: ## exactly what continuous integration runs
	deploy/test

test: ## the tests alone
	deploy/test tests

types: ## linters, types and import contracts alone
	$(PYTHON) -m ruff check .
	$(PYTHON) -m ruff format --check .
	$(PYTHON) -m mypy
	$(dir $(PYTHON))lint-imports --no-logo

docs: ## writes what is generated: docs/reference.md and the exchange in the README
	$(PYTHON) docs/generate.py

kb: ## an entry author's loop: every check of the knowledge base
	$(PYTHON) -m bot kb lint
