"""The only HTTP to GitHub. The protocols that the engine sees are in `bot.ports`.

    github = gateway.connect(AppCredentials(app_id, private_key), marker_keys=(key,), before_write=budget)
    github = gateway.connect(TokenCredentials(token, login="github-actions[bot]"))

    github.read_issue(repo, number, installation_id=..., people=...)     -> IssueSnapshot          (read.py)
    github.publish(action, target, intent_id=..., comment_id=..., known_hashes=...) -> dict       (publish.py)
    github.list_deliveries(since=...) / read_delivery(id) / redeliver(id)                          (deliveries.py)
    github.installations() / repositories(id) / list_issues(repo, installation_id=..., since=...)  (lists.py)
    github.source(installation_id, clones=folder) -> SourceReader                                  (source.py)
    marker.body_hash(body), publish.is_content_write(action), failures.UNCERTAIN

One `GitHub` object serves all threads of a process: it keeps one PyGithub client per thread and installation. This file
imports nothing: who needs the marker or a local clone does not load the HTTP client.
"""
