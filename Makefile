# `make` lists what there is to do. Setting up is part of it, and is done again only when its inputs change.

PYTHON ?= $(if $(filter Windows_NT,$(OS)),python,python3)
ARGS ?=
# Windows has the programs of an environment elsewhere (and its make runs these lines in the sh of Git).
BIN := .venv/$(if $(filter Windows_NT,$(OS)),Scripts,bin)

ifdef LAN
override ARGS += --lan
endif

# Files whose change means setting up again.
INPUTS := pyproject.toml scripts/setup.py
RUN := .venv/.ready-to-run
DEV := .venv/.ready-to-develop
# Machine code of the lab, kept in the user's cache: compiled again when what it is made of changes.
KERNELS := .venv/.kernels
COMPILED := $(wildcard src/cardhouse/lab/kernels/*.py src/cardhouse/games/*/lab/*.py)

LOCKED := --quiet --universal --python-version 3.11 --generate-hashes --custom-compile-command 'make lock'
LOCK := $(BIN)/uv pip compile pyproject.toml $(LOCKED)

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help play test check check-format check-lint check-types check-page fix bench soak lowest page parts programs \
	release setup site hosting upgrade hooks lock clean

help: ## show this
	@sed -n 's/^\([a-z-]*\):.*## /make \1\t/p' Makefile | while IFS="$$(printf '\t')" read -r name what; do \
		printf '  %-12s %s\n' "$$name" "$$what"; done

# The tables' database: a file in this folder, unless the environment names another.
play: export CARDHOUSE_DATABASE ?= sqlite:///.state/cardhouse.db
play: $(RUN) page ## set up, then open the house on this machine; LAN=1: for the whole home network
	@mkdir -p -m 700 .state
	@exec $(BIN)/cardhouse serve $(ARGS)

# Tests start Cardhouse many times over; compiled once, it need not be compiled by each.
test: export PYTHONDONTWRITEBYTECODE =
test: programs setup page parts $(KERNELS) ## set up, then run the first tier of tests; ARGS=tests/...: only those
	@$(BIN)/pytest --numprocesses auto --dist worksteal $(ARGS)

check: check-format check-lint check-types check-page ## check format, lint and types, of the page too

check-format: $(DEV)
	@$(BIN)/ruff format --check

check-lint: $(DEV)
	@$(BIN)/ruff check

check-types: $(DEV)
	@$(BIN)/mypy

check-page: $(DEV)
	@$(BIN)/python hatch_build.py run check

fix: $(DEV) ## put right what can be put right by itself
	@$(BIN)/ruff check --fix-only
	@$(BIN)/ruff format
	@$(BIN)/python hatch_build.py run fix

bench: programs setup page ## measure, each figure beside its baseline
	@$(BIN)/python scripts/services.py $(BIN)/python -m benchmarks $(ARGS)

soak: programs setup page parts $(KERNELS) ## run the second tier of tests, then HOURS=1 of load, faults, fuzzing, random play and attacks
	@$(BIN)/python -m benchmarks.soak $(if $(HOURS),--hours $(HOURS)) $(ARGS)

site: setup page ## make the documentation a site in dist/site, with search, to be read without a network too
	@$(BIN)/python -m scripts.site $(ARGS)

hosting: setup page ## try all of deploy/, backup, and OLD=commit renewed: with proxies, systemd, Docker, which must be there
	@$(BIN)/python -m scripts.try_hosting $(if $(OLD),--old $(OLD)) $(ARGS)

upgrade: programs setup page ## renew a house of two servers under load, from OLD=commit or this one to this: what is lost, how long
	@$(BIN)/python scripts/services.py $(BIN)/python -m scripts.try_upgrade $(OLD)

lowest: setup page ## see whether the lowest versions that pyproject.toml allows still do
	@$(BIN)/python -m scripts.lowest

release: setup ## build all that a tag publishes into dist/, twice, and check it; TAG=v1.2.3: as for that tag
	@$(BIN)/python -m scripts.release '$(TAG)'

hooks: $(DEV) ## have git run the checks before each commit
	@$(BIN)/pre-commit install

lock: ## choose the newest versions of everything and pin them
	@$(PYTHON) scripts/setup.py venv
	@$(BIN)/python -m pip install --quiet --upgrade 'uv>=0.9'
	@echo 'uv>=0.9' | $(BIN)/uv pip compile - $(LOCKED) --upgrade --output-file requirements/uv.txt
	@$(LOCK) --upgrade --all-extras --group dev --output-file requirements/dev.txt
	@$(LOCK) --constraint requirements/dev.txt --extra lab --extra print --group build --output-file requirements/run.txt
	@$(LOCK) --constraint requirements/dev.txt --extra postgres --extra print --output-file requirements/house.txt
	@$(BIN)/uv pip compile $(LOCKED) --constraint requirements/dev.txt --group build --output-file requirements/build.txt
	@$(BIN)/uv pip compile $(LOCKED) --constraint requirements/dev.txt --group release --output-file requirements/release.txt
	@$(BIN)/uv pip compile $(LOCKED) --constraint requirements/dev.txt --group audit --output-file requirements/audit.txt

clean: ## remove what was built and installed; tables in .state stay
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis dist web/node_modules src/cardhouse/faces src/cardhouse/server/page

setup: $(DEV)

# The page is built when the hash of its sources says so, which make's own clock can't; the typefaces if they aren't there.
page:
	@$(BIN)/python hatch_build.py

# What the page is made of and tried with: a page that was copied, not built, comes without.
parts:
	@$(BIN)/python hatch_build.py parts

programs:
	@$(PYTHON) scripts/setup.py programs

$(RUN): requirements/run.txt $(INPUTS)
	@$(PYTHON) scripts/setup.py run
	@touch $@

$(KERNELS): $(COMPILED) scripts/kernels.py | setup
	@$(BIN)/python -m scripts.kernels
	@touch $@

$(DEV): requirements/dev.txt $(INPUTS)
	@$(PYTHON) scripts/setup.py dev
	@touch $@
