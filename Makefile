# Two commands are enough: `make demo` and `make test`. Everything is installed into .venv.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
DATA   ?= .polyrag-demo
BENCH  ?=

.PHONY: demo test test-long check eval eval-public readme wheel clean

$(BIN)/polyrag: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c requirements.lock -e .
	@touch $@

$(VENV)/.dev: $(BIN)/polyrag requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c requirements.lock -e '.[dev]'
	@touch $@

demo: $(BIN)/polyrag ## install, ingest demo/ and ask four questions
	@BIN=$(BIN) DATA=$(DATA) sh eval/demo.sh

# Tests start polyrag hundreds of times: compiled files are kept, also where the environment asks for none.
test test-long: export PYTHONDONTWRITEBYTECODE =

test: $(VENV)/.dev ## the test suite, long tests in seeded samples
	$(BIN)/python -m pytest -m "not long" -n 2 --dist worksteal -rs

test-long: $(VENV)/.dev ## the whole suite in full counts
	$(BIN)/python -m pytest -n 2 --dist worksteal -rs

check: $(VENV)/.dev ## formatting, lint, types, layers
	$(BIN)/ruff check polyrag_cli tests
	$(BIN)/ruff format --check polyrag_cli tests
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

eval: $(BIN)/polyrag ## quality on the demo corpus: golden and holdout sets
	$(BIN)/polyrag --data $(DATA) ingest demo
	$(BIN)/polyrag --data $(DATA) eval --set eval/golden.yaml
	$(BIN)/polyrag --data $(DATA) eval --set eval/holdout.yaml

eval-public: $(BIN)/polyrag ## quality on public data sets: make eval-public BENCH=DIR
	@if [ -z "$(BENCH)" ]; then echo "eval-public: skipped, name the folder of the data sets with BENCH=DIR"; \
	else $(BIN)/python eval/public "$(BENCH)"; fi

readme: $(VENV)/.dev ## put real output into README.md, draw its picture
	$(BIN)/python -m tests.readme

wheel: $(VENV)/.dev ## a wheel in dist/
	$(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps -w dist .

clean:
	rm -rf $(VENV) $(DATA) dist
