# SPDX-License-Identifier: MIT
# A target for a Makefile: include budget.mk, then make privacy-budget. It fails where the ledger
# spends more than its budget, has none, or where nothing could be proved.
DPACCT ?= dpacct
LEDGER ?= privacy/ledger.json

.PHONY: privacy-budget
privacy-budget:
	$(DPACCT) compose $(LEDGER)
	@$(DPACCT) compose $(LEDGER) --quiet
