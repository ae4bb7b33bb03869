# Everything runs in a virtual environment of its own; nothing else is needed than
# python3 (3.11 to 3.13, with venv), git and make.
PYTHON ?= python3
DATA_SET ?= reference
HOURS ?= 1
KILLS ?= 100
# What the tests run beside Python: a browser for the pages, what writes the exports of round trips, a benchmark, a load driver.
TOOLS := chromium/chromium-browser/google-chrome sadf ip ifconfig dbench hey
VENV := .venv
BIN := $(VENV)/bin
VERSION := $(shell $(PYTHON) -c 'import sys; print("%d%d" % sys.version_info[:2])' 2>/dev/null)
LOCK := requirements/py$(or $(VERSION),-none).lock
READY := $(VENV)/ready-$(basename $(notdir $(LOCK)))
STUDYBOOK := $(BIN)/studybook
# Tests wait for disks, kernels and clusters: twice as many workers as processors keep all of these busy.
WORKERS := $(shell $(PYTHON) -c 'import os; print(os.cpu_count() * 2)' 2>/dev/null)
# Hundreds of processes start here: each would compile what it imports.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help setup book test loaded lint types unit pages whole nbval record docs lock picture serve lab clean bench fuzz sweep soak tools

help:  ## Say what there is to make
	@sed -n 's/^\([a-z]*\):.*## /  make \1\t/p' Makefile | expand -t 18

setup: $(READY)  ## Make the virtual environment from the lock file

$(READY): $(LOCK) pyproject.toml testbed/pyproject.toml requirements.txt
	$(PYTHON) -m venv --clear $(VENV)
	# uv takes a third of the time; where packages come from a place that only pip is told of, pip must do.
	$(BIN)/python -m pip install --quiet --disable-pip-version-check $$(grep ^uv== $(LOCK))
	$(BIN)/uv pip install --quiet --python $(BIN)/python --requirement $(LOCK) \
	  || $(BIN)/python -m pip install --quiet --disable-pip-version-check --requirement $(LOCK)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --editable . --editable ./testbed
	# Without a network the book is made all the same; its page Ask the data says what it lacks.
	-$(STUDYBOOK) explore
	touch $@

requirements/py%.lock:
	@echo "There is no lock file for this Python: $$($(PYTHON) --version 2>&1). Python 3.11 to 3.13 will do;" \
	  "name one with: make PYTHON=python3.12" >&2; exit 1

book: setup  ## Load the raw exports, run the figures, publish the book
	$(STUDYBOOK) book --data-set $(DATA_SET)

serve: book  ## Read the book in a browser
	$(STUDYBOOK) serve --data-set $(DATA_SET) --open

lab: setup  ## Open the notebooks in JupyterLab
	$(STUDYBOOK) load --data-set $(DATA_SET)
	$(BIN)/jupyter lab --notebook-dir=.

test: setup tools  ## Everything that must hold
	# Two at a time: each has stretches in which one processor would be idle. First what the small
	# books of the tests begin with: what a load has worked out of the models.
	@well=true; for parts in "lint types loaded" "book unit pages nbval"; do \
	  $(MAKE) --jobs 2 --keep-going $$parts || well=false; done; $$well

loaded: setup
	$(STUDYBOOK) load --data-set $(DATA_SET)

lint: setup  ## Style of the code
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: setup  ## Types of the code
	$(BIN)/mypy

unit: TOOLS := $(filter-out chromium%,$(TOOLS))
unit: setup tools  ## Tests that need no built book and no browser
	$(BIN)/pytest -n $(WORKERS) --dist worksteal -m "not book and not browser" tests

pages: setup tools book  ## Tests of the built book, and of pages in a real browser
	$(BIN)/pytest -n auto --dist worksteal -m "book or browser" tests

whole: setup tools book  ## All tests: those of unit and of pages
	$(BIN)/pytest -n $(WORKERS) --dist worksteal tests

nbval: setup book  ## Run every committed notebook; every output must come out the same
	$(BIN)/pytest -n auto --dist loadscope -p studybook.engine.kernels --nbval --nbval-current-env \
	  notebooks pipelines $(addprefix studybook/template/notebooks/,any-run any-study)

fuzz: setup  ## Damage files and hand them to the readers, for HOURS=n on all processors
	$(BIN)/python -m tests.fuzz --hours $(HOURS)

sweep: setup  ## Cut each file at each of its last bytes, and make its numbers huge: all, not by chance
	$(BIN)/python -m tests.fuzz.sweeps

soak: setup  ## Kill commands at random points, KILLS=n times, and look at what is left
	$(BIN)/python -m tests.soak --kills $(KILLS)

bench: setup tools  ## Measure the speed of loading, and of whole books, side by side with others
	$(BIN)/python -m benchmarks --readme --tools build/tools

record: setup  ## Run all notebooks and store their outputs: the numbers that nbval guards
	$(STUDYBOOK) record --force

picture: book tools  ## Take the picture of the book that the README shows
	$(BIN)/python -m tests.support.picture

docs: setup  ## Write the sample outputs in the docs anew
	$(BIN)/python -m tests.support.docs

lock: setup  ## Resolve the versions of all libraries anew
	for minor in 11 12 13; do $(BIN)/uv pip compile --quiet --upgrade --no-header --no-annotate \
	  --python-version 3.$$minor requirements-dev.txt --output-file requirements/py3$$minor.lock; done

tools:
	@missing=; for tool in $(TOOLS); do \
	    found=; for name in $$(echo $$tool | tr '/' ' '); do command -v $$name >/dev/null && found=1; done; \
	    [ -n "$$found" ] || missing="$$missing $${tool%%/*}"; done; \
	  packages=$$(echo $$missing | sed 's/sadf/sysstat/; s/\bip\b/iproute2/; s/ifconfig/net-tools/'); \
	  [ -z "$$missing" ] || { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null \
	       && apt-get update -qq && apt-get install -y -qq $$packages >/dev/null; } \
	  || { echo "The tests use$$missing; install, on Debian by: apt-get install $$packages" >&2; exit 1; }

clean:  ## Delete everything that was made
	rm -rf build $(VENV)
