# make demo   sets everything up and starts the service on the demo home
# make test   sets everything up and runs all tests, those on a real Home Assistant included

# Python 3.11 where it is there (the packaged PyTorch is for it), else the newest that runs; a shim that only looks like one is
# passed over.
PYTHON ?= $(shell for python in python3.11 python3 python3.13 python3.12; do \
	$$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$python && break; done)
VENV := .venv
BIN := $(VENV)/bin
UV := $(BIN)/uv
UV_VERSION := 0.13.9
MUTMUT_VERSION := 3.8.1
TORCH := $(shell grep -o 'torch==[0-9.]*' pyproject.toml)
# Where pip is told of a folder with wheels (an offline mirror), uv is told of it, too. Where it is not, PyTorch comes as
# its CPU build instead of the CUDA build of several GB; `make setup UV_TORCH_BACKEND=auto` takes what fits the machine.
export UV_FIND_LINKS := $(or $(UV_FIND_LINKS),$(PIP_FIND_LINKS),$(shell $(PYTHON) -m pip config get global.find-links 2>/dev/null))
ifeq ($(UV_FIND_LINKS),)
export UV_TORCH_BACKEND ?= cpu
endif
# An IDE or a shell that has activated another environment must not redirect ours. And where no bytecode may be kept, each
# run of the tests would compile all of them anew, and each process that they start all of us.
unexport VIRTUAL_ENV PYTHONDONTWRITEBYTECODE

.PHONY: setup demo test test-fast attack mutate lint bench chaos intents secrets lock ha guide app clean

# Bytecode is compiled here once: without it (PYTHONDONTWRITEBYTECODE) each start would compile PyTorch and all else anew,
# three times as slow.
setup: $(VENV)/.installed

$(VENV)/.installed: pyproject.toml requirements.lock
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@test -x $(UV) || $(BIN)/python -m pip install --quiet --disable-pip-version-check uv==$(UV_VERSION)
	$(UV) pip install --quiet --compile-bytecode --python $(BIN)/python -r requirements.lock $(TORCH)
	$(UV) pip install --quiet --python $(BIN)/python --no-deps --editable .
	@$(BIN)/python -m compileall -q homeagent indexer memory
	@touch $@

demo: setup
	$(BIN)/homeagent demo

# Each of the two workers takes its half of the tests in order, and what the other has left.
PYTEST := $(BIN)/python -m pytest
TWO_WORKERS := -n 2 --dist worksteal

# Those on a real Home Assistant come last, each worker with its own homes; the first time it is installed into .ha-venv
# (about 600 MB), and where that cannot be they are skipped.
test: setup lint
	$(PYTEST) -m "not e2e" $(TWO_WORKERS)
	-@$(PYTHON) tests/e2e/real_ha/start_ha.py --install-only
	$(PYTEST) tests/contract tests/e2e -m e2e -n 2 --dist loadgroup

# Of all but what starts processes of its own or loads a heavy library (`-m slow`), one case of each test, and a tenth of the
# examples of a property (tests/examples.py): everything that is understood, judged, done and remembered.
test-fast: setup
	$(PYTEST) --quick -m "not e2e and not slow" $(TWO_WORKERS)

# Home Assistant wants a newer Python than we do; the script finds one and the release that fits it.
ha:
	$(PYTHON) tests/e2e/real_ha/start_ha.py --install-only

# Does each step of docs/guide.md in a browser before a real Home Assistant with its web interface (another 220 MB, the
# first time) and takes the pictures anew. Two minutes.
guide: setup
	mkdir -p build
	$(BIN)/python -m tests.e2e.guide

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# Tries to have something guarded done without a yes: ways, names, parameters. Part of `make test` in a short form.
attack: setup
	ATTACK_EXAMPLES=20000 $(BIN)/python -m pytest tests/attack --timeout 1200

# Changes the code that guards the home a little, again and again: some test must fail each time. All of it takes hours; a
# part of it with `make mutate MUTATE='homeagent.policy.*'`. mutmut is installed for this alone.
mutate: setup
	$(UV) pip install --quiet --python $(BIN)/python mutmut==$(MUTMUT_VERSION)
	$(BIN)/python -m tests.mutation $(foreach pattern,$(MUTATE),'$(pattern)')

# Fits what guesses by meaning what a sentence is for (homeagent/intents) to the sentences of data/intents. `INTENTS=--check`
# tells how well that goes with sentences it has not seen, and writes nothing.
intents: setup
	$(BIN)/python -m homeagent.evaluation.intents_training $(INTENTS)

# Fits what knows sentences that tell a secret (memory/secret_model.py) to those of data/secrets. `SECRETS='--check FILE'` tells
# what is refused of a file, and writes nothing.
secrets: setup
	$(BIN)/python -m homeagent.evaluation.secrets_training $(SECRETS)

bench: setup
	$(BIN)/python -m tests.bench

# Kills the service 33 times in the middle of its work and damages its files; about 20 minutes.
chaos: setup
	$(BIN)/python -m tests.chaos

# Everything is resolved in one step and pinned with hashes. PyTorch alone is pinned in pyproject.toml and left out here:
# which build of it is right depends on the machine, and with it which companions (nvidia-*, triton) it needs.
lock: setup
	mkdir -p build
	cp requirements.lock build/resolved.txt # what is pinned stays where it still fits
	UV_FIND_LINKS= $(UV) pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header \
		--extra dev --extra torch pyproject.toml --output-file build/resolved.txt
	awk '/^[a-z]/ {keep = !/^(torch==|triton==|nvidia-|cuda-)/} keep' build/resolved.txt > requirements.lock

# The app of Home Assistant OS as a repository of its own, with the wheel and the pinned packages in it: build/app.
APP := build/app/home_agent
app: setup
	rm -rf build/app build/lib
	mkdir -p $(APP)
	cp repository.yaml build/app/
	cp -R app/. $(APP)/
	$(UV) build --quiet --wheel --out-dir $(APP) .
	rm -f $(APP)/.gitignore
	sed -E 's/ *\\$$//; /^ +--hash/d' requirements.lock > build/pinned.txt
	UV_FIND_LINKS= $(UV) pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate \
		--constraint build/pinned.txt --override app/left-out.txt pyproject.toml --output-file $(APP)/requirements.txt

clean:
	rm -rf $(VENV) .ha-venv .ha-frontend build mutants *.egg-info
