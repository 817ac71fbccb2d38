"""Keeping the knowledge base true: ids, drafts, imports, proofs, new releases."""
