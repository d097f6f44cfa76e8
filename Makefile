# Two commands set up everything they need: `make demo` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/$(if $(filter Windows_NT,$(OS)),Scripts,bin)
INSTALLED := $(VENV)/.installed
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check
unexport PYTHONDONTWRITEBYTECODE  # the tests start hundreds of processes, which would each compile every module

.PHONY: help demo test extras thorough check lint types format sanitize bench formal docs paper browser fuzz mutants versions dist wheels peers clean

help:
	@echo "make demo      plan an instance, check the answer, verify the paper's claims"
	@echo "make test      the tests (make thorough: the long ones too)"
	@echo "make extras    the tests with Dask, Storm, Stable-Baselines3, polars and pyarrow, which it installs"
	@echo "make check     lint, types and tests: what continuous integration runs"
	@echo "make sanitize  the planner's tests with the compiled core under the address and undefined-behaviour sanitizers"
	@echo "make browser   the report and the page to play with, tested in Chromium"
	@echo "make formal    the machine-checked proofs (needs Rocq)"
	@echo "make docs      the site, into docs/_build/html (one or two minutes)"
	@echo "make paper     the figures of the paper about the software"
	@echo "make fuzz      coverage-guided fuzzing of every parser (FUZZ_SECONDS=400 for each)"
	@echo "make mutants   mutation testing: which changes no test catches (PACKAGE=check, planning or games; MUTANTS=--sample 20)"
	@echo "make versions  wheel and source archive with the lowest and newest dependencies, on every Python found"
	@echo "make dist      wheel and source archive, installed and tried outside the repository"
	@echo "make wheels    the source archive and a wheel for each system, into dist/"
	@echo "make peers     compare our answers with LEMON, Boost, Storm and others (builds them; some minutes)"
	@echo "make bench     the race next to LEMON and memcpy, into benchmarks/RESULTS.md (ten minutes)"

CORE := $(wildcard tallyplan/core/*.h tallyplan/core/*.hpp tallyplan/core/*.cpp)
$(INSTALLED): $(VENV)/.environment $(CORE)
	$(BIN)/python setup.py --quiet build_ext --inplace
	@touch $@

$(VENV)/.environment: pyproject.toml setup.py
	$(PYTHON) -m venv $(VENV)
	$(INSTALL) --upgrade "pip>=25.1"  # the first to know dependency groups
	$(INSTALL) --editable . --group dev
	@touch $@

demo: $(INSTALLED)
	@$(BIN)/python docs/demo.py

test: $(INSTALLED)
	$(BIN)/python -m pytest -n 2 --dist worksteal

EXTRAS := tests/studies/test_cluster.py tests/studies/test_tables.py tests/model/test_graph.py \
	tests/games/test_environment.py
extras: $(INSTALLED)
	$(INSTALL) --group extras
	$(BIN)/python -m pytest -rs $(EXTRAS)

thorough: $(INSTALLED)
	$(BIN)/python -m pytest -n 2 --dist worksteal --thorough
	$(MAKE) fuzz

PARSERS := instance certificate word start sequence number horizon study formula edges graphml policy
FUZZ_SECONDS ?= 400
fuzz: $(INSTALLED)
	$(INSTALL) --group fuzz
	@set -e; for parser in $(PARSERS); do $(BIN)/python tests/fuzz/parsers.py $$parser $(FUZZ_SECONDS); done

CHROMIUM := $(shell command -v chromium || command -v chromium-browser || command -v google-chrome)
browser: $(INSTALLED)
ifeq ($(CHROMIUM),)
	@echo "There is no Chromium on this machine. On Debian: apt-get install chromium" >&2; exit 1
endif
	$(INSTALL) --group browser
	$(BIN)/python -m pytest tests/browser

PACKAGE ?= check
MUTANTS ?=
mutants: $(INSTALLED)
	$(BIN)/python tests/mutants.py $(PACKAGE) $(MUTANTS)

versions dist: $(INSTALLED)
	$(INSTALL) --group release
	$(BIN)/python tests/versions.py $(if $(filter dist,$@),--wheel-only)

PLATFORMS := manylinux_2_17_x86_64 manylinux_2_17_aarch64 macosx_11_0_x86_64 macosx_11_0_arm64 win_amd64
wheels: $(INSTALLED)
	$(INSTALL) --group release
	rm -rf dist
	$(BIN)/python -m build --sdist
	@set -e; for platform in $(PLATFORMS); do echo $$platform; TALLYPLAN_PLATFORM=$$platform \
		$(BIN)/python -m pip wheel --quiet --no-deps --no-build-isolation --wheel-dir dist dist/*.tar.gz; done
	$(BIN)/python tests/versions.py --checker dist

check: lint types test

lint: $(INSTALLED)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/clang-format --dry-run -Werror $(CORE)
	$(BIN)/python tests/ceilings.py

SANITIZERS := -fsanitize=address,undefined -fno-sanitize-recover=all -O1
sanitize: $(INSTALLED)
	CXXFLAGS="$(SANITIZERS)" $(BIN)/python setup.py --quiet build_ext --inplace
	LD_PRELOAD="$$(c++ -print-file-name=libasan.so) $$(c++ -print-file-name=libstdc++.so)" \
		ASAN_OPTIONS=detect_leaks=0 $(BIN)/python -m pytest -s tests/core tests/planning; \
		status=$$?; rm -r build $(INSTALLED) tallyplan/core/compiled.*; exit $$status

types: $(INSTALLED)
	$(BIN)/mypy

format: $(INSTALLED)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/clang-format -i $(CORE)

bench: $(INSTALLED)
	$(BIN)/python -m benchmarks.build
	$(BIN)/python -m benchmarks.race
	$(BIN)/python -m benchmarks.results_page

peers: $(INSTALLED)
	$(BIN)/python -m benchmarks.build
	$(BIN)/python -m benchmarks.agreement

formal: $(INSTALLED)
	@$(MAKE) --no-print-directory -C proofs_check/formal tools
	@$(BIN)/python -m proofs_check.formal
	@$(MAKE) --no-print-directory -C proofs_check/formal
	$(BIN)/python -m pytest -n 2 --dist worksteal tests/proofs_check/formal

paper: $(INSTALLED)  # the figures of paper/paper.md
	$(BIN)/tallyplan draw paper/three.json --out paper/graph.png
	$(BIN)/tallyplan new congested actions=3 memory=3 | $(BIN)/tallyplan play alg-stoch,optimistic-planner,best-constant - \
		--horizons 10^3,10^4,10^5,10^6,10^7 --repeats 20 --plot paper/regret.png

docs: $(INSTALLED)
	$(INSTALL) --group docs
	$(BIN)/python docs/build.py

clean:
	rm -rf docs/_build docs/generated $(VENV) build *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis
