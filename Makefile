# Each command sets itself up: it creates .venv, installs the packages it needs, and runs.
# `make test PYTHON=python3.13` uses another interpreter.
# `make test-fast` runs in about five minutes: it leaves out slow tests and tries fewer random examples.
# `make test-all` runs the tests that take too long for `make test`, and the suite with machine code
# from the first run on (`--engine native`) and without any (`--engine numpy`): SEED chooses the random
# programs and the order of the tests (the date of the last commit unless given, so that the same
# commit is tested in the same way again), SECONDS is the time for each kind of programs, MODULES the
# number of modules of the standard library to test; THOROUGH is the time for thorough tests, ENGINES
# the time for the suite with each of the two engines (0: not at all).
# `make bench` measures the table of docs/performance.md in an environment of its own (.venv-bench),
# beside numba, JAX (after `.venv-bench/bin/pip install jax`), and the same loops in C (where gcc is
# installed); `make bench-quick` takes under two minutes. The results are in build/bench/.
# `make dist` writes a wheel and a source distribution to dist/.

PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin
BENCH ?= .venv-bench

SEED ?= $(shell git log -1 --format=%cd --date=format:%Y%m%d 2>/dev/null || date +%Y%m%d)
SECONDS ?= 300
MODULES ?= 1000
THOROUGH ?= 7200
ENGINES ?= 7200

.PHONY: demo test test-fast test-all check bless bench bench-quick dist docs clean

demo: $(VENV)/ready
	@echo "== autograph samples/collatz.py --function collatz"
	@$(BIN)/autograph samples/collatz.py --function collatz
	@$(BIN)/python tools/demo.py

test: $(VENV)/ready-to-test
	@echo "The whole suite takes about twenty minutes on two cores; \`make test-fast\` about five minutes."
	$(BIN)/python -m pytest -n 2 --dist worksteal $(ARGS)

test-fast: $(VENV)/ready-to-test
	@echo "This takes about five minutes on two cores."
	$(BIN)/python -m pytest -n 2 --dist worksteal --fast $(ARGS)

test-all: $(VENV)/ready-to-test
	@echo "SEED=$(SEED)"
	$(BIN)/python -m pytest -n 2 --dist worksteal -m thorough \
	    --shuffle $(SEED) --seconds $(THOROUGH) $(ARGS)
	@[ $(ENGINES) = 0 ] || for engine in native numpy; do \
	    $(BIN)/python -m pytest -n 2 --dist worksteal --engine $$engine \
	        --shuffle $(SEED) --seconds $(ENGINES) || exit 1; \
	done
	@for kind in function generator async files; do \
	    $(BIN)/python tools/fuzz.py --kind $$kind --first $(SEED) --seconds $(SECONDS) || exit 1; \
	done
	$(BIN)/python tools/conformance.py --sample $(MODULES) --seed $(SEED)

check: $(VENV)/ready-to-check
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/python tools/language.py
	$(BIN)/python -m pytest tests/project/test_layers.py tests/project/test_typing.py

bless: $(VENV)/ready-to-test
	$(BIN)/python -m pytest --bless $(ARGS)

bench: $(BENCH)/ready
	$(BENCH)/bin/python tools/bench_table.py $(ARGS)

bench-quick: $(BENCH)/ready
	$(BENCH)/bin/python tools/bench_table.py --quick $(ARGS)

dist: $(VENV)/ready-for-dist
	rm -rf dist
	$(BIN)/python -m build --outdir dist .
	@ls -l dist

# The site: build/docs/index.html.  Warnings, such as links to nowhere, are errors.
docs: $(VENV)/ready-to-document
	$(BIN)/python -m sphinx --fail-on-warning --keep-going --quiet docs build/docs
	@echo "build/docs/index.html"

clean:
	rm -rf $(VENV) $(BENCH) build dist .pytest_cache .mypy_cache .ruff_cache

$(BIN)/python:
	$(PYTHON) -c 'import sys; sys.version_info >= (3, 11) or sys.exit("Python 3.11 or newer is needed: make PYTHON=python3.11")'
	$(PYTHON) -m venv $(VENV)

$(VENV)/ready: pyproject.toml | $(BIN)/python
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[native]'
	@touch $@

$(VENV)/ready-to-test: pyproject.toml | $(BIN)/python
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[cli,native,test]'
	@touch $@

$(VENV)/ready-to-check: pyproject.toml | $(BIN)/python
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[cli,native,test,check]'
	@touch $@

$(VENV)/ready-for-dist: pyproject.toml | $(BIN)/python
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[dist]'
	@touch $@

$(VENV)/ready-to-document: pyproject.toml | $(BIN)/python
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[native,docs]'
	@touch $@

$(BENCH)/ready: pyproject.toml
	$(PYTHON) -m venv $(BENCH)
	$(BENCH)/bin/pip install --quiet --disable-pip-version-check --editable '.[native,bench]'
	@touch $@
