"""The bot as a GitHub Action: no server and no database. What there is to remember stands on the issue itself.

environment.py   what the runner says: repository, event, inputs                    edge
memory.py        our comment, our reactions and everybody's commands -> IssueMemory  pure
work.py          read, remember, decide, write                                       edge
summary.py       what the job's page shows                                           pure
"""
