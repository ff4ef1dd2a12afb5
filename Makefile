# `make demo` and `make test` set themselves up, also on a fresh machine (.ci/setup says how).

PORT ?= 8080
VENV := .venv
SETUP := pyproject.toml .ci/setup

.DEFAULT_GOAL := help
.PHONY: help demo test lint pictures install bundle clean

help:  ## this list
	@sed -n 's/^\([a-z]*\):.*##  *\(.*\)/make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 14

demo: $(VENV)/.ready-demo  ## follow a simulated game on http://localhost:8080 (PORT=... for another), Ctrl-C ends it
	@exec $(VENV)/bin/schiri watch sim --port $(PORT) --data-dir data/demo

test: lint  ## all checks and all tests
	$(VENV)/bin/pytest tests/rules --cov=rules --cov-fail-under=100 $(PYTEST_ARGS)
	$(VENV)/bin/pytest --ignore=tests/rules $(PYTEST_ARGS)

lint: $(VENV)/.ready-test  ## style, types and the one-way imports
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/mypy
	$(VENV)/bin/lint-imports --no-logo

pictures: $(VENV)/.ready-test  ## make the pictures of the README anew
	$(VENV)/bin/python docs/make_pictures.py

install:  ## put Schiri on this Raspberry Pi as a service (docs/build.md)
	@device/service/install

bundle:  ## a file for updates without a network (PYTHON=3.11 for Bookworm)
	@device/service/bundle $(if $(PYTHON),$(PYTHON),3.13)

clean:  ## forget the virtual environment, caches and the demo's data
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis data/demo

$(VENV)/.ready-%: $(SETUP)
	@.ci/setup $*
