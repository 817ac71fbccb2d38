"""`python -m bot`, the same as the `burn-triage` command."""

import sys

from bot.cli import main

sys.exit(main())
