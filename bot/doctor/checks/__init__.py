"""One check a file; see `bot.doctor`."""
