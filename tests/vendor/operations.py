"""What is kept of GitHub's descriptions. Add an operation or a type here, then run `python -m tests.vendor.renew`."""

from __future__ import annotations

REST: dict[str, tuple[str, ...]] = {
    "/app": ("get",),
    "/app/hook/config": ("get", "patch"),
    "/app/hook/deliveries": ("get",),
    "/app/hook/deliveries/{delivery_id}": ("get",),
    "/app/hook/deliveries/{delivery_id}/attempts": ("post",),
    "/app/installations": ("get",),
    "/app/installations/{installation_id}": ("get", "delete"),
    "/app/installations/{installation_id}/access_tokens": ("post",),
    "/app-manifests/{code}/conversions": ("post",),
    "/installation/repositories": ("get",),
    "/rate_limit": ("get",),
    "/user": ("get",),
    "/user/installations": ("get",),
    "/user/installations/{installation_id}/repositories": ("get",),
    "/users/{username}": ("get",),
    "/repos/{owner}/{repo}": ("get",),
    "/repos/{owner}/{repo}/installation": ("get",),
    "/repos/{owner}/{repo}/collaborators/{username}/permission": ("get",),
    "/repos/{owner}/{repo}/commits": ("get",),
    "/repos/{owner}/{repo}/commits/{ref}": ("get",),
    "/repos/{owner}/{repo}/contents/{path}": ("get",),
    "/repos/{owner}/{repo}/git/blobs/{file_sha}": ("get",),
    "/repos/{owner}/{repo}/issues": ("get", "post"),
    "/repos/{owner}/{repo}/issues/{issue_number}": ("get", "patch"),
    "/repos/{owner}/{repo}/issues/{issue_number}/comments": ("get", "post"),
    "/repos/{owner}/{repo}/issues/{issue_number}/events": ("get",),
    "/repos/{owner}/{repo}/issues/{issue_number}/labels": ("get", "post"),
    "/repos/{owner}/{repo}/issues/{issue_number}/labels/{name}": ("delete",),
    "/repos/{owner}/{repo}/issues/{issue_number}/lock": ("put", "delete"),
    "/repos/{owner}/{repo}/issues/{issue_number}/reactions": ("get", "post"),
    "/repos/{owner}/{repo}/issues/{issue_number}/reactions/{reaction_id}": ("delete",),
    "/repos/{owner}/{repo}/issues/comments/{comment_id}": ("get", "patch", "delete"),
    "/repos/{owner}/{repo}/issues/comments/{comment_id}/reactions": ("get", "post"),
    "/repos/{owner}/{repo}/issues/comments/{comment_id}/reactions/{reaction_id}": ("delete",),
    "/repos/{owner}/{repo}/labels": ("get", "post"),
    "/repos/{owner}/{repo}/labels/{name}": ("get", "patch", "delete"),
}
"""REST paths with the methods that are kept; everything that they refer to follows."""

GRAPHQL_ROOTS: dict[str, tuple[str, ...]] = {
    "Query": ("id", "node", "nodes", "rateLimit", "repository", "viewer"),
    "Mutation": ("minimizeComment", "unminimizeComment"),
}
"""Root fields that are kept."""

GRAPHQL_TYPES = frozenset(
    {
        "Actor",
        "Bot",
        "Comment",
        "CommentDeletedEvent",
        "EnterpriseUserAccount",
        "Issue",
        "IssueComment",
        "IssueTimelineItems",
        "IssueTimelineItemsConnection",
        "Mannequin",
        "Minimizable",
        "MinimizeCommentInput",
        "MinimizeCommentPayload",
        "Node",
        "Organization",
        "RateLimit",
        "Repository",
        "UnminimizeCommentInput",
        "UnminimizeCommentPayload",
        "UniformResourceLocatable",
        "UpdatableComment",
        "User",
    }
)
"""Types that are kept, with all fields and arguments whose types are kept too, scalars or enums."""
