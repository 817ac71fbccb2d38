"""The only HTTP to GitHub. The protocols that the engine sees are in `bot.ports`.

    github = connect(AppCredentials(app_id, private_key), marker_keys=(key,), before_write=budget)
    github = connect(TokenCredentials(token, login="github-actions[bot]"))

    github.read_issue(repo, number, installation_id=..., people=...)     -> IssueSnapshot          (read.py)
    github.publish(action, target, intent_id=..., comment_id=..., known_hashes=...) -> dict       (publish.py)
    github.list_deliveries(since=...) / read_delivery(id) / redeliver(id)                          (deliveries.py)
    github.installations() / repositories(id) / list_issues(repo, installation_id=..., since=...)  (lists.py)
    github.source(installation_id, clones=folder) -> SourceReader                                  (source.py)
    marker.body_hash(body), publish.is_content_write(action), failures.UNCERTAIN

One `GitHub` object serves all threads of a process: it keeps one PyGithub client per thread and installation.
"""

from bot.github.auth import AppCredentials, Credentials, TokenCredentials
from bot.github.gateway import GitHub, connect
from bot.github.marker import body_hash
from bot.github.publish import is_content_write

__all__ = ["AppCredentials", "Credentials", "GitHub", "TokenCredentials", "body_hash", "connect", "is_content_write"]
