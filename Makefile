# Two commands matter: `make demo` and `make test`. Both set up all they need in .venv, from the pins, the first time
# and whenever the pins change.
#
#   PYTHON=python3.12   the Python to build .venv with, where several are installed (3.11 or newer)
#   VENV=.venv          another folder for it
#   ARGS="--port 8600"  what `make demo` hands on to `merge-window demo`
#   TESTS=tests/test_titles.py   what `make test` hands on to pytest

VENV ?= .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check -qq
# Compiling all of the libraries at once takes ten seconds; each module is compiled when it is first used instead.
INSTALL := $(PIP) install --no-compile --require-hashes --requirement
unexport PYTHONDONTWRITEBYTECODE

PYTHONS := $(PYTHON) python3 python3.14 python3.13 python3.12 python3.11 python
PACKAGES := data analysis dashboard
RECORDINGS := build/recordings

# Stamps: what is installed in .venv is as new as the pins
READY := $(VENV)/.ready
DEV_READY := $(VENV)/.ready-dev

.PHONY: help demo test recordings lint check-types fmt docs requirements clean

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1~\2/p' $(MAKEFILE_LIST) | awk -F'~' '{ printf "%-22s %s\n", $$1, $$2 }'

demo: $(READY) ## the dashboard on a generated repository
	$(BIN)/merge-window demo $(ARGS)

test: $(DEV_READY) lint check-types ## style, types and every test, with a browser
	$(BIN)/python tests/oracle.py --install >/dev/null
	browser=$$($(BIN)/python tests/browser.py --install) && \
		MERGE_WINDOW_CHROMIUM="$$browser" $(BIN)/python -m pytest $(TESTS)

recordings: $(DEV_READY) $(RECORDINGS)/.ready ## optional: the collector on answers of the real GitHub, from PyGithub's sources
	MERGE_WINDOW_RECORDINGS=$(abspath $(RECORDINGS))/tests/ReplayData $(BIN)/python -m pytest tests/test_recordings.py

# The pinned version, its hash checked. The recordings are LGPL: used where they are unpacked, never copied into here.
$(RECORDINGS)/.ready: requirements.txt | $(READY)
	rm -rf $(RECORDINGS) && mkdir -p $(RECORDINGS)
	sed -n '/^pygithub==/,/[^\\]$$/p' requirements.txt >$(RECORDINGS)/pin.txt
	$(PIP) download --no-deps --no-binary pygithub --require-hashes --dest $(RECORDINGS) \
		--requirement $(RECORDINGS)/pin.txt
	tar -xzf $(RECORDINGS)/pygithub-*.tar.gz -C $(RECORDINGS) --strip-components 1
	@touch $@

lint: $(DEV_READY) ## formatting and lint
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

check-types: $(DEV_READY) ## static types of the three packages
	$(BIN)/mypy

fmt: $(DEV_READY) ## formats, and mends what ruff can mend
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

docs: $(READY) ## docs/metrics, made from the docstrings of metrics and rules
	$(BIN)/python docs/make_metrics.py

PIN := $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --fork-strategy fewest --generate-hashes \
	--custom-compile-command "make requirements" $(PINFLAGS) pyproject.toml

requirements: $(VENV)/pyvenv.cfg ## pins anew after a change in pyproject.toml (PINFLAGS=--upgrade for newer versions)
	$(PIP) install "uv~=0.13"
	$(PIN) --group build --output-file requirements.txt
	$(PIN) --group dev --constraints requirements.txt --output-file requirements-dev.txt

clean: ## takes away .venv, builds and tool caches
	rm -rf $(VENV) build dist .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find $(PACKAGES) tests benchmarks -name __pycache__ -type d -prune -exec rm -rf {} +

# The pins first, hashes checked; then this checkout, built by the pinned hatchling. `ensurepip` is for a .venv that
# `uv run` made: those have no pip.
$(READY): requirements.txt pyproject.toml | $(VENV)/pyvenv.cfg
	@$(BIN)/python -m pip --version >/dev/null 2>&1 || $(BIN)/python -m ensurepip
	@echo "Installing what requirements.txt pins; the first time this takes a minute"
	$(INSTALL) requirements.txt
	$(PIP) install --no-deps --no-build-isolation --editable .
	@touch $@

$(DEV_READY): requirements-dev.txt $(READY)
	$(INSTALL) requirements-dev.txt
	@touch $@

$(VENV)/pyvenv.cfg:
	@for python in $(PYTHONS); do \
		if $$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then found=$$python; break; fi; \
	done; \
	if [ -z "$$found" ]; then \
		echo "Merge Window needs Python 3.11 or newer. Install it, or name it: make demo PYTHON=/path/to/python3.11" >&2; \
		exit 1; \
	fi; \
	if ! $$found -c 'import ensurepip, venv' 2>/dev/null; then \
		echo "$$found cannot make a virtual environment. On Debian or Ubuntu: apt install python3-venv" >&2; \
		exit 1; \
	fi; \
	echo "Setting up $(VENV) with $$($$found --version)"; \
	$$found -m venv $(VENV)
