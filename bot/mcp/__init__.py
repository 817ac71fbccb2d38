"""The knowledge base for coding assistants, over the Model Context Protocol on stdin and stdout.

    tool.py     what a tool is, and reading its arguments                     pure
    tools/      one tool a file, found by walking: a docstring (what the assistant is told), `TITLE`, `INPUT`, `OUTPUT`
                (JSON schemas) and `answer(shelf, arguments)`                 pure
    server.py   the tools behind the official SDK                             edge

Source: modelcontextprotocol.io, specification 2025-11-25, "Tools" and "stdio".
"""
