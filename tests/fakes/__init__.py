"""Stand-ins for services that the product talks to."""
