"""What calls of the SDK are called in the shell.

Errors are raised below, where the caller is not known, and their hints name calls of the SDK:
`db.branches.list()`. Users of a terminal, and agents and pages, see the
command that does the same. This is the one place that knows both.
"""

import re

# In a command, {} is the argument of the call. A call that is not here has no command.
_COMMANDS = {
    "strata.copy(FROM, TO)": "strata copy FROM TO",
    "strata.open(PATH)": "strata init",
    "strata.restore(BACKUP, PATH)": "strata restore",
    "db.agents.list()": "strata agent list",
    "db.agents.tasks()": "strata agent tasks",
    "db.allowing_secrets()": "--allow-secrets",
    "db.backup(PATH)": "strata backup",
    "db.branches.fork(NAME)": "strata fork NAME",
    "db.branches.list()": "strata branch",
    "db.branches.list(deleted=True)": "strata branch --deleted",
    "db.branches.merge(NAME)": "strata merge",
    "db.branches.restore": "strata branch --restore {}",
    "db.conversations.list()": "strata conversations",
    "db.decisions.links()": "strata decisions link list",
    "db.decisions.recent()": "strata decisions list",
    "db.decisions.search(QUERY)": "strata decisions search",
    "db.document_spaces.list()": "strata space list",
    "db.documents.find(REQUEST)": "strata doc list",
    "db.documents.history": "strata doc history {}",
    "db.documents.untrash(DOCUMENT)": "strata doc trash DOCUMENT --undo",
    "db.folders.list()": "strata folder list",
    "db.kv.history(KEY)": "strata history",
    "db.kv.list()": "strata list",
    "db.log()": "strata log",
    "db.models.configure(URL, NAME)": "strata config model_endpoint URL",
    "db.users.add(EMAIL)": "strata user add EMAIL",
    "db.sign_ins.list()": "strata user browsers",
    "db.users.list()": "strata user list",
    "db.proposals.list()": "strata review",
    "db.publishing.publish(DOCUMENT, pin=True)": "strata publish DOCUMENT --pin",
    "db.publishing.versions(DOCUMENT)": "strata publish versions DOCUMENT",
    "db.purge_document(DOCUMENT)": "strata purge --document ID",
    "db.remotes.add(NAME, ADDRESS)": "strata remote add NAME ADDRESS",
    "db.remotes.add(NAME, URL, token=TOKEN)": "strata remote add NAME URL --token TOKEN",
    "db.remotes.pull()": "strata pull",
    "db.remotes.push(full=True)": "strata push --full",
    "db.review.comments(DOCUMENT)": "strata comment list",
    "db.review.suggestions(DOCUMENT)": "strata suggest list",
    "db.serving.uploads().presign(USER, length=BYTES)": (
        "strata call edit_document --action presignUpload"
    ),
    "db.settings.set('secrets', 'mask')": "strata config secrets mask",
    "db.settings.set('storage', 's3://BUCKET/PREFIX')": "strata config storage s3://BUCKET/PREFIX",
    "db.share_links.of(DOCUMENT)": "strata doc links DOCUMENT",
    "db.sign_ins.create_code()": "strata user login",
    "db.spaces.list()": "strata space",
    "db.tags.list()": "strata tag",
    "db.teams.list()": "strata team list",
    "db.teams.members": "strata team member {}",
    "db.tokens.list()": "strata token list",
    "db.verify()": "strata verify",
}
_CALL = re.compile(r"`((?:db|strata)\.[\w.]+)\((.*?)\)`")


def in_shell_words(hint: str | None) -> str | None:
    """Return a hint with commands in place of calls.

    >>> in_shell_words("`db.branches.list()` lists them.")
    '`strata branch` lists them.'
    >>> in_shell_words("`db.branches.restore('초안')` brings it back.")
    '`strata branch --restore 초안` brings it back.'
    """
    return hint and _CALL.sub(_command, hint)


def _command(call: re.Match[str]) -> str:
    name, argument = call.groups()
    command = _COMMANDS.get(f"{name}({argument})") or _COMMANDS.get(name)
    return call[0] if command is None else f"`{command.format(argument.strip(chr(39)))}`"
