# Two commands set up everything they need: `make demo` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed

.PHONY: help demo test thorough check lint types format sweeps bench judges formal clean

help:
	@echo "make demo      plan an instance, check the answer, verify the paper's claims"
	@echo "make test      the tests (make thorough: the long ones too)"
	@echo "make check     lint, types and tests: what continuous integration runs"
	@echo "make formal    the machine-checked proofs (needs Rocq)"
	@echo "make sweeps    sweeps per second next to a memcpy of the same size"
	@echo "make judges    our answers next to those of LEMON, Boost, Storm and others (builds them; some minutes)"
	@echo "make bench     the race against LEMON, Boost and others (builds them; ten minutes or more)"

$(INSTALLED): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[dev]"
	@touch $@

demo: $(INSTALLED)
	@$(BIN)/python docs/demo.py

test: $(INSTALLED)
	$(BIN)/python -m pytest -n 2 --dist worksteal

thorough: $(INSTALLED)
	$(BIN)/python -m pytest -n 2 --dist worksteal --thorough

check: lint types test

lint: $(INSTALLED)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(INSTALLED)
	$(BIN)/mypy

format: $(INSTALLED)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(INSTALLED)
	$(BIN)/python -m benchmarks.race.build
	$(BIN)/python -m benchmarks.race
	$(BIN)/python -m benchmarks.race.report

judges: $(INSTALLED)
	$(BIN)/python -m benchmarks.race.build
	$(BIN)/python -m benchmarks.judges

sweeps: $(INSTALLED)
	$(BIN)/python -m benchmarks.sweeps

formal: $(INSTALLED)
	@$(MAKE) --no-print-directory -C proofs_check/formal
	@$(BIN)/python -m proofs_check.formal
	$(BIN)/python -m pytest -n 2 --dist worksteal tests/proofs_check/formal

clean:
	rm -rf $(VENV) build *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis
