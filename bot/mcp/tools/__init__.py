"""One tool a file; see `bot.mcp`."""
