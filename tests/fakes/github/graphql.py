"""The GraphQL endpoint: validated and executed against the cut of GitHub's own schema."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from flask import Flask, g, jsonify, request
from graphql import GraphQLError, GraphQLSchema, OperationType, build_schema, execute_sync, parse, validate

from tests.fakes.github.access import need_issue_write, need_user
from tests.fakes.github.errors import ApiError
from tests.fakes.github.state import Comment, Issue, User, iso
from tests.vendor import graphql_cut

if TYPE_CHECKING:
    from tests.fakes.github.hub import FakeGitHub

TYPES = {401: "UNAUTHENTICATED", 403: "FORBIDDEN", 404: "NOT_FOUND", 410: "NOT_FOUND"}


@lru_cache(maxsize=1)
def schema() -> GraphQLSchema:
    """Built once per process."""
    return build_schema(graphql_cut(), assume_valid=True)


def register(app: Flask, hub: FakeGitHub) -> None:
    """Add the route."""
    root = _Root(hub)

    @app.post("/graphql")
    def graphql() -> Any:
        need_user(g.caller)
        body = request.get_json()
        try:
            document = parse(str(body["query"]))
        except GraphQLError as error:
            hub.violations.append(f"POST /graphql: {error.message}")
            return jsonify({"errors": [_shown(error)]})
        g.changing = any(getattr(d, "operation", None) is OperationType.MUTATION for d in document.definitions)
        found = validate(schema(), document)
        if found:
            hub.violations.extend(f"POST /graphql: {error.message}" for error in found)
            return jsonify({"errors": [_shown(error) for error in found]})
        result = execute_sync(schema(), document, root_value=root.fields(), variable_values=body.get("variables") or {})
        if result.errors and any(not isinstance(e.original_error, ApiError) for e in result.errors):
            hub.violations.extend(f"POST /graphql: {error.message}" for error in result.errors)
        answer: dict[str, Any] = {"data": result.data}
        return jsonify(answer | ({"errors": [_shown(e) for e in result.errors]} if result.errors else {}))


class _Root:
    """Resolvers of the root fields."""

    def __init__(self, hub: FakeGitHub) -> None:
        self._hub = hub

    def fields(self) -> dict[str, Any]:
        """Root value; graphql-core calls members with the arguments."""
        return {
            "node": self._node,
            "nodes": lambda info, ids: [self._node(info, text) for text in ids],
            "viewer": lambda info: _actor(need_user(g.caller)),
            "rateLimit": self._rate_limit,
            "repository": self._repository,
            "minimizeComment": self._minimize,
            "unminimizeComment": self._unminimize,
        }

    def _node(self, info: Any, id: str) -> dict[str, Any] | None:
        for comment in self._hub.world.all_comments():
            if comment.node_id == id:
                return _comment(comment)
        issues = (i for r in self._hub.world.repos.values() for i in r.issues.values())
        issue = next((i for i in issues if i.node_id == id and not i.deleted), None)
        if issue is None:
            raise ApiError(404, f"Could not resolve to a node with the global id of '{id}'")
        return _issue(issue)

    def _repository(self, info: Any, owner: str, name: str, followRenames: bool = True) -> dict[str, Any]:
        repo = self._hub.world.find_repo(f"{owner}/{name}")
        if repo is None or not g.caller.may_see(repo):
            raise ApiError(404, f"Could not resolve to a Repository with the name '{owner}/{name}'.")

        def issue(info: Any, number: int) -> dict[str, Any]:
            found = repo.issues.get(number)
            if found is None or found.deleted or found.transferred_to:
                raise ApiError(404, f"Could not resolve to an issue or pull request with the number of {number}.")
            return _issue(found)

        return {"__typename": "Repository", "nameWithOwner": repo.full_name, "issue": issue}

    def _rate_limit(self, info: Any, dryRun: bool = False) -> dict[str, Any]:
        quota = self._hub.world.quota(g.caller.quota_key)
        left = {"limit": quota.limit, "remaining": quota.limit - quota.used, "used": quota.used, "cost": 1}
        return left | {"resetAt": iso(quota.reset_at), "nodeCount": 0}

    def _subject(self, node_id: str) -> Comment:
        found = next((c for c in self._hub.world.all_comments() if c.node_id == node_id), None)
        if found is None:
            raise ApiError(404, f"Could not resolve to a node with the global id of '{node_id}'")
        need_issue_write(g.caller, found.issue.repo)
        if not g.caller.may_moderate(found.issue.repo) and found.user is not g.caller.user:
            raise ApiError(403, "Resource not accessible by integration")
        return found

    def _minimize(self, info: Any, input: dict[str, Any]) -> dict[str, Any]:
        comment = self._subject(input["subjectId"])
        comment.minimized = input["classifier"]
        return {"minimizedComment": _comment(comment), "clientMutationId": input.get("clientMutationId")}

    def _unminimize(self, info: Any, input: dict[str, Any]) -> dict[str, Any]:
        comment = self._subject(input["subjectId"])
        comment.minimized = None
        return {"unminimizedComment": _comment(comment), "clientMutationId": input.get("clientMutationId")}


def _actor(user: User | None) -> dict[str, Any] | None:
    if user is None:
        return None
    bot = user.type == "Bot"
    shown = {"login": user.login.removesuffix("[bot]"), "id": f"U_{user.id}", "databaseId": user.id}
    return shown | {"__typename": "Bot" if bot else "User"}


def _comment(comment: Comment) -> dict[str, Any]:
    return {
        "__typename": "IssueComment",
        "id": comment.node_id,
        "databaseId": comment.id,
        "fullDatabaseId": str(comment.id),
        "body": comment.body,
        "author": _actor(comment.user),
        "editor": _actor(comment.editor),
        "lastEditedAt": iso(comment.updated_at) if comment.editor else None,
        "createdAt": iso(comment.created_at),
        "updatedAt": iso(comment.updated_at),
        "isMinimized": comment.minimized is not None,
        "minimizedReason": comment.minimized.lower() if comment.minimized else None,
        "viewerCanMinimize": True,
    }


def _timeline(issue: Issue, itemTypes: list[str] | None, last: int | None) -> dict[str, Any]:
    """Deleted comments alone: nothing else of the timeline is asked for."""
    wanted = itemTypes is None or "COMMENT_DELETED_EVENT" in itemTypes
    events = [
        {
            "__typename": "CommentDeletedEvent",
            "id": f"CDE_{gone.id}",
            "databaseId": gone.id,
            "createdAt": iso(gone.created_at),
            "actor": _actor(gone.actor),
            "deletedCommentAuthor": _actor(gone.author),
        }
        for gone in (issue.deletions if wanted else ())
    ]
    return {"nodes": events[-(last or 100) :], "totalCount": len(events)}


def _issue(issue: Issue) -> dict[str, Any]:
    return {
        "__typename": "Issue",
        "id": issue.node_id,
        "databaseId": issue.id,
        "number": issue.number,
        "title": issue.title,
        "body": issue.body or "",
        "author": _actor(issue.user),
        "locked": issue.locked,
        "timelineItems": lambda info, itemTypes=None, last=None, **_: _timeline(issue, itemTypes, last),
        "createdAt": iso(issue.created_at),
        "updatedAt": iso(issue.updated_at),
    }


def _shown(error: GraphQLError) -> dict[str, Any]:
    cause = error.original_error
    kind = {"type": TYPES.get(cause.status, "UNPROCESSABLE")} if isinstance(cause, ApiError) else {}
    return {"message": error.message, "path": error.path} | kind
