"""Pure analysis: text in, verdict and actions out. No Flask, SQL, HTTP, YAML, clock or environment."""
