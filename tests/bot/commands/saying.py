"""Short ways to tell a story of commands."""

from __future__ import annotations

from tests.bot.world import World


def answered(body: str = "panic matched KB-0001") -> World:
    """An issue that has its answer."""
    world = World(body)
    world.open()
    return world


def said(world: World, author: str, *commands: str) -> list[str]:
    """Write each command in a comment of its own; the reactions that these comments got."""
    got = []
    for command in commands:
        world.say(author, command)
        got += world.reactions_to(max(world.comments))
    return got
