# SPDX-License-Identifier: MIT
# Every task of the project; `make help` lists them. Settings, on the command line or in the environment:
#   TRITON=3.6              the Triton version that build, demo, pytest and bench use (default 3.9)
#   FLAGTREE_BACKEND=cpu    backends to build, comma-separated (default cpu,nvidia,amd)
#   LLVM_SYSPATH=/prefix    an LLVM and MLIR 22 of your own
#   PYTHON=python3.12       the interpreter that the virtual environments are made from
#   ARGS="-k load"          passed on to pytest, the demo or the benchmarks
DEFAULT_TRITON := 3.9
OLDEST_TRITON := 3.6
TRITON ?= $(or $(DEMO_TRITON),$(DEFAULT_TRITON))
PYTHON ?= python3
TORCH ?= torch==2.13.0+cpu
TORCH_INDEX ?= https://download.pytorch.org/whl/cpu
BENCH ?= $(wildcard bench/bench_*.py)

VENV := .venv$(if $(filter-out $(DEFAULT_TRITON),$(TRITON)),$(subst .,,$(TRITON)))
PY := $(VENV)/bin/python
PIP := $(PY) -m pip --disable-pip-version-check
# The interpreter of Triton 3.6 fails with newer numpy.
NUMPY := $(if $(filter 3.6,$(TRITON)),numpy<2.4,numpy)
SYSTEM := build/.stamp-system
# The set of backends is part of the name: another set registers anew.
INSTALLED := $(VENV)/.stamp-installed-$(subst $(eval) ,-,$(strip $(shell printf %s "$(FLAGTREE_BACKEND)" | tr -cs a-zA-Z0-9_ ' ')))

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
SHELL := /bin/bash
export MAKE

.PHONY: help
help: ## Show this list
	@awk 'BEGIN {FS = ":.*## "} /^[a-z0-9-]+:.*## / {printf "  make %-16s %s\n", $$1, $$2}' $(MAKEFILE_LIST)
	@echo "Settings:"
	@sed -n 's/^#   \([A-Z_]*=\)/  \1/p' $(MAKEFILE_LIST)

##
.PHONY: setup
setup: $(VENV)/.stamp-deps ## Install system packages, a virtual environment and the dependencies

.PHONY: build
build: setup ## Build the native code and install FlagTree in place
	@$(PY) -m setup_tools build
	@$(MAKE) --no-print-directory $(INSTALLED)

.PHONY: demo
demo: build ## Compile and run the hinted kernels beside torch and show the table
	@$(PY) -m flagtree.tools.demo $(ARGS)

.PHONY: test
test: build ## Run every test suite: lit, unit, pytest under the newest and the oldest Triton
	@$(MAKE) --no-print-directory build TRITON=$(OLDEST_TRITON)
	@$(PY) -m setup_tools test $(DEFAULT_TRITON) $(OLDEST_TRITON)

.PHONY: lit
lit: build ## Run the lit tests of passes and dialects
	@$(PY) -m setup_tools build check-flagtree

.PHONY: unit
unit: build ## Run the GoogleTest suites of the C++ parts
	@$(PY) -m setup_tools build check-unit

.PHONY: pytest
pytest: build ## Run the Python tests (TRITON=3.6 for another Triton)
	@$(PY) -m pytest $(ARGS)

.PHONY: test-triton-36
test-triton-36: ## Run the Python tests under Triton 3.6, in .venv36
	@$(MAKE) --no-print-directory pytest TRITON=3.6

.PHONY: fuzz-hints
fuzz-hints: build ## Put 100,000 random hint comments into kernels and compile and run 2,000 of them
	@$(PY) python/test/support/fuzz_hints.py $(ARGS)

.PHONY: bench
bench: build ## Run the benchmarks (BENCH=bench/bench_x.py for one); keep the machine idle
	@$(if $(BENCH),,echo "no benchmark matches bench/bench_*.py"; exit 1)
	@set -e; for file in $(BENCH); do $(PY) $$file $(ARGS); done

.PHONY: asan
asan: setup ## Build with AddressSanitizer and UBSan in build-asan and run the lit and unit tests there
	@ASAN_OPTIONS=detect_container_overflow=0:$$ASAN_OPTIONS $(PY) -m setup_tools build --preset asan check-unit check-flagtree

.PHONY: tsan
tsan: setup ## Build with ThreadSanitizer in build-tsan and run the unit tests there
	@$(PY) -m setup_tools build --preset tsan check-unit

.PHONY: lint
lint: $(VENV)/.stamp-lint ## Run every pre-commit hook on every file
	@$(VENV)/bin/pre-commit run --all-files --show-diff-on-failure

.PHONY: format
format: $(VENV)/.stamp-lint ## Format Python and C++ in place
	@$(VENV)/bin/ruff check --fix --quiet . || true
	@$(VENV)/bin/ruff format --quiet .
	@git ls-files -z '*.cpp' '*.h' | xargs -0 -r $(VENV)/bin/clang-format -i

.PHONY: hooks
hooks: $(VENV)/.stamp-lint ## Run the pre-commit hooks at each `git commit`
	@$(VENV)/bin/pre-commit install

.PHONY: docs
docs: setup ## Write docs/generated from the ODS files
	@$(PY) -m setup_tools docs

.PHONY: docs-check
docs-check: setup ## Tell whether docs/generated matches the ODS files
	@$(PY) -m setup_tools docs --check

.PHONY: clean
clean: ## Remove what builds leave, but not the virtual environments
	@rm -rf build build-* python/flagtree.egg-info .venv*/.stamp-installed-*
	@find python/flagtree/backends -maxdepth 1 -type l -delete 2>/dev/null || true
	@find python/flagtree/_native -type f ! -name '*.py' -delete 2>/dev/null || true

.PHONY: distclean
distclean: clean ## Remove the virtual environments too
	@rm -rf .venv .venv[0-9]* .pytest_cache .ruff_cache

$(SYSTEM): setup_tools/system.py setup_tools/toolchain.py
	@$(PYTHON) -m setup_tools system
	@mkdir -p $(@D) && touch $@

$(VENV)/.stamp-venv: | $(SYSTEM)
	@echo "Making $(VENV) with $$($(PYTHON) --version)"
	@$(PYTHON) -m venv $(VENV)
	@$(PIP) install --quiet --upgrade pip
	@touch $@

$(VENV)/.stamp-deps: pyproject.toml $(VENV)/.stamp-venv | $(SYSTEM)
	@echo "Installing triton $(TRITON), $(TORCH) and the rest of the dependencies into $(VENV)"
	@$(PIP) install --quiet "$(TORCH)" || $(PIP) install --quiet --index-url $(TORCH_INDEX) "$(TORCH)"
	@$(PY) -m setup_tools requirements test build > $(VENV)/requirements.txt
	@$(PIP) install --quiet "triton==$(TRITON).*" "$(NUMPY)" -r $(VENV)/requirements.txt
	@touch $@

$(VENV)/.stamp-lint: pyproject.toml $(VENV)/.stamp-deps
	@$(PY) -m setup_tools requirements lint > $(VENV)/requirements-lint.txt
	@$(PIP) install --quiet "$(NUMPY)" -r $(VENV)/requirements-lint.txt
	@touch $@

# Registers the backends' entry points and the `flagtree` command; the native code is built already.
$(INSTALLED): pyproject.toml setup.py $(wildcard setup_tools/*.py third_party/*/backend/compiler.py) $(VENV)/.stamp-deps
	@rm -f $(VENV)/.stamp-installed-*
	@$(PIP) install --quiet --no-deps --no-build-isolation --editable .
	@touch $@
