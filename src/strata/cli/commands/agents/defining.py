"""Agents of one's own: defining, showing and removing them."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

import strata
from strata.agents import Agent, Definition, Thinking, definitions_in, read_definition
from strata.base import limits
from strata.cli.commands.agents.group import AGENT, agent, told_agent
from strata.cli.decorated import command
from strata.cli.output import answer, plural
from strata.cli.session import Invocation
from strata.cli.show.tables import facts
from strata.cli.show.text import one_line


@command(
    "define",
    group=agent,
    takes="user",
    examples="""
    strata agent define proofreader --instructions "Propose corrections of misspelled words." \
--endpoint http://localhost:11434/v1 --model qwen3
    strata agent define reviewer --instructions "Comment on claims without a source." \
--endpoint https://api.example.com/v1 --model large --key-variable EXAMPLE_API_KEY
    strata agent list
    """,
)
@click.argument("name", required=False, help="What it is called.")
@click.option("--file", "files", multiple=True, type=click.Path(path_type=Path), metavar="PATH",
              help="Read it from this .md or .toml file, or from all in this folder.")  # fmt: skip
@click.option("--instructions", help="What it is for.")
@click.option("--description", help="A line about it, for lists.")
@click.option(
    "--endpoint", metavar="URL", help="Where its model answers; else that of the settings."
)
@click.option("--model", metavar="NAME", help="Which model to ask there.")
@click.option("--kind", type=click.Choice(["openai", "anthropic"]), default="openai",
              show_default=True, help="How the endpoint is spoken to.")  # fmt: skip
@click.option("--key-variable", metavar="NAME",
              help="The environment variable that has its key; the key is never kept.")  # fmt: skip
@click.option("--group", "groups", multiple=True, metavar="NAME",
              help="Give it the tools of this group; without, core and comments.")  # fmt: skip
@click.option("--may-edit", is_flag=True, help="Let its edits count at once.")
@click.option("--may-mix", is_flag=True,
              help="Let it write where not everybody may read what it has read.")  # fmt: skip
@click.option("--allow", multiple=True, metavar="TOOL.ACTION",
              help="Allow this too, such as edit_document.share.")  # fmt: skip
@click.option("--timeout", "timeout_s", type=float, default=limits.AGENT_TASK_S, show_default=True,
              help="Seconds that a task may take.")  # fmt: skip
@click.option("--shared", is_flag=True, help="Let everybody ask it; only the owner may.")
def define(
    session: Invocation, *, name: str | None, files: Sequence[Path], shared: bool, **told: Any
) -> None:
    """Define an agent that thinks with a model, or change one.

    Say what it is in options, or in files: markdown whose fields stand between two lines of ---
    and whose text is the instructions, or TOML.
    """
    found = [read_definition(file) for place in files for file in definitions_in(place)]
    if name is not None:
        found.append((name, _definition(**told), shared))
    if not found:
        raise strata.InvalidArgument(
            "There is no agent to define.", hint="Give a name and --instructions, or --file.",
            parameter="name",
        )  # fmt: skip
    with session.writing(create=True, anywhere=True) as db:
        made = [db.agents.define(one, what, shared=is_shared or shared)
                for one, what, is_shared in found]  # fmt: skip
    lines = [f"defined {one_line(one.name)} ({one.id})" for one in made]
    answer(session, {"agents": [told_agent(one) for one in made]}, lines)


def _definition(
    *, endpoint: str | None, model: str | None, kind: Any, key_variable: str | None,
    instructions: str | None, description: str | None, groups: Sequence[str], **more: Any,
) -> Definition:  # fmt: skip
    if not instructions:
        raise strata.InvalidArgument(
            "Nobody says what the agent is for.", hint="Give --instructions.",
            parameter="instructions",
        )  # fmt: skip
    more["allow"] = tuple(more["allow"])
    given = {"groups": tuple(groups)} if groups else {}
    thinking = Thinking(endpoint=endpoint, model=model, kind=kind, key_variable=key_variable)
    return Definition(
        description=description or "", instructions=instructions, thinking=thinking, **given, **more
    )


@command("show", group=agent, takes="user", examples="strata init\nstrata agent show linker")
@AGENT
def show(session: Invocation, *, name: str) -> None:
    """Show an agent: what it is for, its model, and what it may do.

    The key of its model is nowhere to be shown: only the name of the variable is kept.
    """
    with session.reading(anywhere=True) as db:
        found = db.agents.get(name)
    answer(session, told_agent(found), _lines(found))


def _lines(one: Agent) -> list[str]:
    defined, thinking = one.definition, one.definition.thinking
    pairs = [("id", one.id), ("name", one_line(one.name)), ("about", one_line(defined.description))]
    if not one.is_platform:
        pairs += [
            ("model", f"{thinking.model or 'that of the settings'} ({thinking.kind})"),
            ("endpoint", thinking.endpoint or "that of the settings"),
            ("key", f"in {thinking.key_variable}" if thinking.key_variable else "none named"),
            ("tools", ", ".join(defined.groups)),
            ("limits", f"{defined.timeout_s:g} s, {plural(defined.calls_max, 'call')}"),
        ]  # fmt: skip
    pairs += [("edits", "count at once" if defined.may_edit else "are suggestions")]
    pairs += [("allowed", ", ".join(defined.allow))] if defined.allow else []
    lines = facts(pairs)
    return [*lines, "", *defined.instructions.splitlines()] if defined.instructions else lines


@command(
    "remove",
    group=agent,
    takes="user",
    examples="""
    strata agent define helper --instructions "Help."
    strata agent remove helper
    """,
)
@AGENT
def remove(session: Invocation, *, name: str) -> None:
    """Remove an agent that you have defined.

    Tasks of it that have not begun fail; what it wrote stays.
    """
    with session.writing(anywhere=True) as db:
        gone = db.agents.remove(name)
    answer(session, told_agent(gone), [f"removed {one_line(gone.name)} ({gone.id})"])
