"""The knowledge base of burn's panics: entries, the panic-site index and their tooling. Never imports `bot`."""
