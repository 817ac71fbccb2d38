"""What may be wrong with a running bot, looked at from outside; each fault with its remedy. One check is one file of
`checks/`, found by walking: a docstring, `NEEDS` (what it looks at beside the settings), `check(patient)`.
"""
