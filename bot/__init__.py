"""The GitHub App: reads issues, finds the panic, answers once."""
