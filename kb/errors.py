"""The knowledge base's own failure: something that its user gave cannot be used."""


class KnowledgeBaseError(Exception):
    """The message names the input (file and line where there is one) and the remedy."""
