"""REST's bodies, made from what GraphQL tells: other names, other nulls, and addresses of the API."""

import base64
import textwrap
from typing import Any
from urllib.parse import quote

from fake_github.fields import tagged_commit
from fake_github.nodes import WEB, Node, oid

Body = dict[str, Any]

STATUSES = {"DELETED": "removed"}  # every other `changeType` is spelled alike
USER_LINKS = {
    "followers": "",
    "following": "{/other_user}",
    "gists": "{/gist_id}",
    "starred": "{/owner}{/repo}",
    "subscriptions": "",
    "organizations": "",
    "repos": "",
    "events": "{/privacy}",
    "received_events": "",
}
REPOSITORY_LINKS = (
    "archive assignees blobs branches collaborators comments commits compare contents contributors deployments "
    "downloads events forks git_commits git_refs git_tags issue_comment issue_events issues keys labels languages "
    "merges milestones notifications pulls releases stargazers statuses subscribers subscription tags teams trees hooks"
).split()


class Bodies:
    """Writes bodies whose addresses begin with `base`, which is where the request came to."""

    def __init__(self, base: str) -> None:
        self.base = base
        self._repositories: dict[int, Body] = {}

    # People

    def user(self, who: Node | None) -> Body | None:
        """An account: null once it is deleted, and bots with their suffix."""
        if who is None or who["deleted"]:
            return None
        login = who["login"] + ("[bot]" if who["__typename"] == "Bot" else "")
        url = f"{self.base}/users/{login}"
        paths = {"organizations": "orgs"}
        return {
            "login": login,
            "id": who["databaseId"],
            "node_id": who["id"],
            "avatar_url": f"{WEB}/avatars/{who['databaseId']}",
            "gravatar_id": "",
            "url": url,
            "html_url": who["url"],
            **{f"{name}_url": f"{url}/{paths.get(name, name)}{tail}" for name, tail in USER_LINKS.items()},
            "type": who["__typename"],
            "site_admin": False,
        }

    def team(self, team: Node) -> Body:
        url = f"{self.base}/orgs/{team['organization']['login']}/teams/{team['slug']}"
        return {
            "id": team["databaseId"],
            "node_id": team["id"],
            "name": team["name"],
            "slug": team["slug"],
            "description": team["description"],
            "privacy": "closed",
            "notification_setting": "notifications_enabled",
            "permission": "pull",
            "url": url,
            "html_url": team["url"],
            "members_url": f"{url}/members{{/member}}",
            "repositories_url": f"{url}/repos",
            "parent": None,
        }

    # Repositories

    def repository_url(self, repo: Node) -> str:
        return f"{self.base}/repos/{repo['nameWithOwner']}"

    def repository(self, repo: Node | None) -> Body | None:
        """A repository; written once a request, as every pull request names it twice."""
        if repo is None:
            return None
        number = repo["databaseId"]
        if number not in self._repositories:
            self._repositories[number] = self._repository(repo)
        return self._repositories[number]

    def _repository(self, repo: Node) -> Body:
        url, web, name = self.repository_url(repo), repo["url"], repo["nameWithOwner"]
        host = WEB.removeprefix("https://")
        n_open = sum(item["state"] == "OPEN" for item in [*repo["pullRequests"], *repo["issues"]])
        no = ("has_projects", "has_wiki", "has_pages", "has_downloads", "has_discussions")
        return {
            "id": repo["databaseId"],
            "node_id": repo["id"],
            "name": repo["name"],
            "full_name": name,
            "owner": self.user(repo["owner"]),
            "private": repo["isPrivate"],
            "html_url": web,
            "description": repo["description"],
            "fork": repo["isFork"],
            "url": url,
            "homepage": None,
            "language": repo["primaryLanguage"]["name"],
            **dict.fromkeys(("forks_count", "forks"), repo["forkCount"]),
            **dict.fromkeys(("stargazers_count", "watchers_count", "watchers"), repo["stargazerCount"]),
            "size": repo["diskUsage"],
            "default_branch": repo["branches"][0],
            **dict.fromkeys(("open_issues_count", "open_issues"), n_open),
            "is_template": repo["isTemplate"],
            "topics": [],
            "has_issues": True,
            **dict.fromkeys(no, False),
            "archived": repo["isArchived"],
            "disabled": repo["isDisabled"],
            "visibility": "private" if repo["isPrivate"] else "public",
            "pushed_at": repo["pushedAt"],
            "created_at": repo["createdAt"],
            "updated_at": repo["updatedAt"],
            "license": None,
            "clone_url": f"{web}.git",
            "git_url": f"git://{host}/{name}.git",
            "ssh_url": f"git@{host}:{name}.git",
            "svn_url": web,
            "mirror_url": None,
            "allow_forking": False,
            "web_commit_signoff_required": False,
            **{f"{link}_url": f"{url}/{link}" for link in REPOSITORY_LINKS},
        }

    def label(self, label: Node) -> Body:
        return {
            "id": label["databaseId"],
            "node_id": label["id"],
            "url": f"{self.repository_url(label['repository'])}/labels/{quote(label['name'], safe='')}",
            "name": label["name"],
            "description": label["description"],
            "color": label["color"],
            "default": label["isDefault"],
        }

    def milestone(self, milestone: Node | None) -> Body | None:
        if milestone is None:
            return None
        repo, number = milestone["repository"], milestone["number"]
        url = f"{self.repository_url(repo)}/milestones/{number}"
        inside = [item for item in [*repo["pullRequests"], *repo["issues"]] if item["milestone"] is milestone]
        n_open = sum(item["state"] == "OPEN" for item in inside)
        return {
            "url": url,
            "html_url": milestone["url"],
            "labels_url": f"{url}/labels",
            "id": milestone["databaseId"],
            "node_id": milestone["id"],
            "number": number,
            "title": milestone["title"],
            "description": milestone["description"],
            "creator": self.user(milestone["creator"]),
            "open_issues": n_open,
            "closed_issues": len(inside) - n_open,
            "state": milestone["state"].lower(),
            "created_at": milestone["createdAt"],
            "updated_at": milestone["updatedAt"],
            "due_on": milestone["dueOn"],
            "closed_at": milestone["closedAt"],
        }

    def tag(self, ref: Node) -> Body:
        url, commit = self.repository_url(ref["repository"]), tagged_commit(ref)
        return {
            "name": ref["name"],
            "zipball_url": f"{url}/zipball/refs/tags/{ref['name']}",
            "tarball_url": f"{url}/tarball/refs/tags/{ref['name']}",
            "commit": {"sha": commit["oid"], "url": f"{url}/commits/{commit['oid']}"},
            "node_id": ref["id"],
        }

    def release(self, release: Node) -> Body:
        url = f"{self.repository_url(release['repository'])}/releases"
        return {
            "url": f"{url}/{release['databaseId']}",
            "html_url": release["url"],
            "assets_url": f"{url}/{release['databaseId']}/assets",
            "upload_url": f"{url}/{release['databaseId']}/assets{{?name,label}}",
            "id": release["databaseId"],
            "node_id": release["id"],
            "tag_name": release["tagName"],
            "target_commitish": release["repository"]["branches"][0],
            "name": release["name"],
            "body": release["description"],
            "draft": release["isDraft"],
            "prerelease": release["isPrerelease"],
            "created_at": release["createdAt"],
            "published_at": release["publishedAt"],
            "author": self.user(release["author"]),
            "assets": [],
            "tarball_url": f"{url}/tarball",
            "zipball_url": f"{url}/zipball",
        }

    def content(self, repo: Node, path: str) -> Body:
        """A text file of the default branch, in lines of 60 as GitHub wraps them."""
        text = repo["texts"][path]
        url = f"{self.repository_url(repo)}/contents/{quote(path)}"
        sha, branch = oid("blob", text), repo["branches"][0]
        encoded = base64.b64encode(text.encode()).decode()
        links = {
            "self": f"{url}?ref={branch}",
            "git": f"{self.repository_url(repo)}/git/blobs/{sha}",
            "html": f"{repo['url']}/blob/{branch}/{path}",
        }
        return {
            "name": path.rpartition("/")[2],
            "path": path,
            "sha": sha,
            "size": len(text.encode()),
            "url": links["self"],
            "html_url": links["html"],
            "git_url": links["git"],
            "download_url": f"{repo['url']}/raw/{branch}/{path}",
            "type": "file",
            "content": "".join(f"{line}\n" for line in textwrap.wrap(encoded, 60)),
            "encoding": "base64",
            "_links": links,
        }

    def commit(self, commit: Node) -> Body:
        repo = commit["repository"]
        url = f"{self.repository_url(repo)}/commits/{commit['oid']}"
        return {
            "url": url,
            "sha": commit["oid"],
            "node_id": commit["id"],
            "html_url": f"{repo['url']}/commit/{commit['oid']}",
            "comments_url": f"{url}/comments",
            "commit": {
                "url": f"{self.repository_url(repo)}/git/commits/{commit['oid']}",
                **{role: self.git_actor(commit[role]) for role in ("author", "committer")},
                "message": commit["message"],
                "comment_count": 0,
                "tree": {"sha": oid("tree", commit["oid"]), "url": f"{url}/tree"},
            },
            **{role: self.user(commit[role]["user"]) for role in ("author", "committer")},
            "parents": [{"sha": parent["oid"], "url": f"{url}/parent"} for parent in commit["parents"]],
        }

    def git_actor(self, who: Node) -> Body:
        return {name: who[name] for name in ("name", "email", "date")}

    # Pull requests

    def pull(self, request: Node) -> Body:
        """A pull request as lists give it: without merged, merged_by, sizes and counts."""
        url = f"{self.repository_url(request['repository'])}/pulls/{request['number']}"
        issue_url = url.replace("/pulls/", "/issues/")
        links = {
            "self": url,
            "html": request["url"],
            "issue": issue_url,
            "comments": f"{issue_url}/comments",
            "review_comments": f"{url}/comments",
            "review_comment": f"{self.repository_url(request['repository'])}/pulls/comments{{/number}}",
            "commits": f"{url}/commits",
            "statuses": f"{self.repository_url(request['repository'])}/statuses/{request['headRefOid']}",
        }
        reviewers = [pending["requestedReviewer"] for pending in request["reviewRequests"]]
        return {
            "url": url,
            "id": int(request["fullDatabaseId"]),
            "node_id": request["id"],
            "html_url": request["url"],
            "diff_url": f"{request['url']}.diff",
            "patch_url": f"{request['url']}.patch",
            **{f"{name}_url": address for name, address in links.items() if name not in {"self", "html"}},
            "number": request["number"],
            "state": "open" if request["state"] == "OPEN" else "closed",
            "locked": request["locked"],
            "title": request["title"],
            "user": self.user(request["author"]),
            "body": request["body"],
            "labels": [self.label(label) for label in request["labels"]],
            "milestone": self.milestone(request["milestone"]),
            "active_lock_reason": None,
            "created_at": request["createdAt"],
            "updated_at": request["updatedAt"],
            "closed_at": request["closedAt"],
            "merged_at": request["mergedAt"],
            "merge_commit_sha": merge_commit_sha(request),
            "assignee": self.user(request["assignees"][0]) if request["assignees"] else None,
            "assignees": self.users(request["assignees"]),
            "requested_reviewers": self.users(each for each in reviewers if each["__typename"] != "Team"),
            "requested_teams": [self.team(each) for each in reviewers if each["__typename"] == "Team"],
            "draft": request["isDraft"],
            "head": self.end(request["headRepository"], request["headRefName"], request["headRefOid"]),
            "base": self.end(request["repository"], request["baseRefName"], request["baseRefOid"]),
            "_links": {name: {"href": address} for name, address in links.items()},
            "author_association": request["authorAssociation"],
            "auto_merge": None,
        }

    def pull_in_full(self, request: Node) -> Body:
        """A pull request asked for by its number."""
        return self.pull(request) | {
            "merged": request["state"] == "MERGED",
            "mergeable": None,
            "rebaseable": None,
            "mergeable_state": "unknown",
            "merged_by": self.user(request["mergedBy"]),
            "comments": len(request["comments"]),
            "review_comments": sum(len(thread["comments"]) for thread in request["reviewThreads"]),
            "maintainer_can_modify": request["maintainerCanModify"],
            "commits": len(request["commits"]),
            "additions": request["additions"],
            "deletions": request["deletions"],
            "changed_files": request["changedFiles"],
        }

    def users(self, accounts: Any) -> list[Body]:
        return [user for account in accounts if (user := self.user(account))]

    def end(self, repo: Node | None, ref: str, sha: str) -> Body:
        """One end of a pull request; a deleted fork leaves its branch's name."""
        owner = self.user(repo["owner"]) if repo else None
        label = f"{owner['login'] if owner else 'unknown'}:{ref}"
        return {"label": label, "ref": ref, "sha": sha, "user": owner, "repo": self.repository(repo)}

    def file(self, request: Node, file: Node) -> Body:
        """A changed file: with `previous_filename` where it was renamed, with a patch where it is text."""
        web, path, head = request["repository"]["url"], file["path"], request["headRefOid"]
        body = {
            "sha": file["sha"],
            "filename": path,
            "status": STATUSES.get(file["changeType"], file["changeType"].lower()),
            "additions": file["additions"],
            "deletions": file["deletions"],
            "changes": file["additions"] + file["deletions"],
            "blob_url": f"{web}/blob/{head}/{path}",
            "raw_url": f"{web}/raw/{head}/{path}",
            "contents_url": f"{self.repository_url(request['repository'])}/contents/{path}",
        }
        optional = {"patch": file["patch"], "previous_filename": file["previous_filename"]}
        return body | {name: value for name, value in optional.items() if value is not None}

    def review(self, review: Node) -> Body:
        """A review; a PENDING one has no `submitted_at`."""
        request = review["pullRequest"]
        url = f"{self.repository_url(request['repository'])}/pulls/{request['number']}"
        body = {
            "id": int(review["fullDatabaseId"]),
            "node_id": review["id"],
            "user": self.user(review["author"]),
            "body": review["body"],
            "state": review["state"],
            "html_url": review["url"],
            "pull_request_url": url,
            "_links": {"html": {"href": review["url"]}, "pull_request": {"href": url}},
            "submitted_at": review["submittedAt"],
            "commit_id": review["commit"]["oid"],
            "author_association": review["authorAssociation"],
        }
        if review["submittedAt"] is None:
            del body["submitted_at"]
        return body

    def review_comment(self, comment: Node) -> Body:
        """A comment on a line; outdated ones have neither line nor position."""
        request = comment["pullRequest"]
        repo_url, number = self.repository_url(request["repository"]), int(comment["fullDatabaseId"])
        links = {
            "self": f"{repo_url}/pulls/comments/{number}",
            "html": comment["url"],
            "pull_request": f"{repo_url}/pulls/{request['number']}",
        }
        body = {
            "url": links["self"],
            "pull_request_review_id": int(comment["pullRequestReview"]["fullDatabaseId"]),
            "id": number,
            "node_id": comment["id"],
            "diff_hunk": comment["diffHunk"],
            "path": comment["path"],
            "commit_id": comment["commit"]["oid"],
            "original_commit_id": comment["originalCommit"]["oid"],
            "user": self.user(comment["author"]),
            "body": comment["body"],
            "created_at": comment["createdAt"],
            "updated_at": comment["updatedAt"],
            "html_url": comment["url"],
            "pull_request_url": links["pull_request"],
            "author_association": comment["authorAssociation"],
            "_links": {name: {"href": address} for name, address in links.items()},
            "start_line": None,
            "original_start_line": None,
            "start_side": None,
            "line": comment["line"],
            "original_line": comment["originalLine"],
            "side": "RIGHT",
            "position": comment["position"],
            "original_position": comment["originalPosition"],
        }
        if comment["replyTo"]:
            body["in_reply_to_id"] = int(comment["replyTo"]["fullDatabaseId"])
        return body

    # Issues, and pull requests seen as such

    def issue(self, item: Node) -> Body:
        """An issue; a pull request is one too, marked by `pull_request`."""
        repo_url = self.repository_url(item["repository"])
        url = f"{repo_url}/issues/{item['number']}"
        links = {name: f"{url}/{name}" for name in ("comments", "events", "timeline")}
        body = {
            "url": url,
            "repository_url": repo_url,
            "labels_url": f"{url}/labels{{/name}}",
            **{f"{name}_url": address for name, address in links.items()},
            "html_url": item["url"],
            "id": int(item["fullDatabaseId"]),
            "node_id": item["id"],
            "number": item["number"],
            "title": item["title"],
            "user": self.user(item["author"]),
            "labels": [self.label(label) for label in item["labels"]],
            "state": "open" if item["state"] == "OPEN" else "closed",
            "state_reason": (item.get("stateReason") or "").lower() or None,
            "locked": item["locked"],
            "assignee": self.user(item["assignees"][0]) if item["assignees"] else None,
            "assignees": self.users(item["assignees"]),
            "milestone": self.milestone(item["milestone"]),
            "comments": len(item["comments"]),
            "created_at": item["createdAt"],
            "updated_at": item["updatedAt"],
            "closed_at": item["closedAt"],
            "author_association": item["authorAssociation"],
            "active_lock_reason": None,
            "body": item["body"],
        }
        if item["__typename"] == "PullRequest":
            body["draft"] = item["isDraft"]
            body["pull_request"] = {
                "url": f"{repo_url}/pulls/{item['number']}",
                "html_url": item["url"],
                "diff_url": f"{item['url']}.diff",
                "patch_url": f"{item['url']}.patch",
                "merged_at": item["mergedAt"],
            }
        return body

    def comment(self, on: Node, comment: Node) -> Body:
        """A plain comment below an issue or pull request."""
        url = self.repository_url(on["repository"])
        return {
            "url": f"{url}/issues/comments/{comment['fullDatabaseId']}",
            "html_url": comment["url"],
            "issue_url": f"{url}/issues/{on['number']}",
            "id": int(comment["fullDatabaseId"]),
            "node_id": comment["id"],
            "user": self.user(comment["author"]),
            "created_at": comment["createdAt"],
            "updated_at": comment["updatedAt"],
            "author_association": comment["authorAssociation"],
            "body": comment["body"],
        }

    def timeline_item(self, request: Node, item: Node) -> Body:
        """One line of a timeline; commits have no `created_at` and reviews a `submitted_at` instead."""
        match item["__typename"]:
            case "PullRequestCommit":
                commit = self.commit(item["commit"])
                return commit.pop("commit") | {"event": "committed", "sha": commit["sha"], "node_id": commit["node_id"]}
            case "PullRequestReview":
                return self.review(item) | {"event": "reviewed", "state": item["state"].lower()}
            case "IssueComment":
                body = self.comment(request, item)
                return body | {"event": "commented", "actor": body["user"]}
        return self.event(item)

    def event(self, item: Node) -> Body:
        repo_url = self.repository_url(item["pullRequest"]["repository"])
        commit = item.get("commit")
        body = {
            "id": item["databaseId"],
            "node_id": item["id"],
            "url": f"{repo_url}/issues/events/{item['databaseId']}",
            "actor": self.user(item["actor"]),
            "event": event_name(item["__typename"]),
            "commit_id": commit["oid"] if commit else None,
            "commit_url": f"{repo_url}/commits/{commit['oid']}" if commit else None,
            "created_at": item["createdAt"],
            "performed_via_github_app": None,
        }
        if reviewer := item.get("requestedReviewer"):
            body["review_requester"] = body["actor"]
            if reviewer["__typename"] == "Team":
                body["requested_team"] = self.team(reviewer)
            else:
                body["requested_reviewer"] = self.user(reviewer)
        return body


def event_name(kind: str) -> str:
    """A HeadRefForcePushedEvent is `head_ref_force_pushed`."""
    kind = kind.removesuffix("Event")
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in kind).lstrip("_")


def merge_commit_sha(request: Node) -> str:
    """What REST calls by that name: also of an open pull request, where it is a trial merge and never on a branch."""
    return request["mergeCommit"]["oid"] if request["mergeCommit"] else oid(request["id"], "trial merge")
