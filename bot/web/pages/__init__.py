"""The public pages, one folder each."""
