"""What the releases say of a place whose own revision is not known or cannot be read."""

from __future__ import annotations

from collections.abc import Sequence

from bot.triage.lookup import Hit, needs_no_site
from bot.triage.model import Candidate, Place, Trust
from bot.triage.query import Query, one_function
from bot.triage.std_messages import is_implicit
from kb.model import Revision


def in_any_release(query: Query, releases: Sequence[Revision], trust: Trust) -> tuple[Candidate, ...]:
    """All indexed releases, the likeliest first: answered if no other function fits the place anywhere.

    A site without words needs a column and a crate for that. What std prints for an expression has no site.
    """
    if is_implicit(query.panic.message):
        return ()
    findings = [query.look(file) for release in releases for file in query.files(release)]
    places = [f.place for f in findings if f.hit is Hit.SITE and f.place and f.worded]
    if not places and query.location.column is not None and query.crate:
        places = [f.place for f in findings if f.hit is Hit.SITE and f.place]
    if not places:
        return ()
    if not all(same_place(place, places[0]) for place in places):
        return _told_twice(places)
    why = f"of all releases only this function has such a site at this place ({places[0].revision.name})"
    return (Candidate(places[0], trust, why),)


def _told_twice(places: Sequence[Place]) -> tuple[Candidate, ...]:
    """Other functions in other releases: named, not answered."""
    each = {(place.path, place.function): place for place in reversed(places)}
    why = "releases differ in which function has such a site at this place"
    return tuple(Candidate(place, Trust.FLAGGED, why) for place in reversed(each.values()))


def words_in_file(query: Query, releases: Sequence[Revision], because: str) -> tuple[Candidate, ...]:
    """The one function of the printed file that has these words, at the first of the releases that has any.

    Where none has them whole, their beginning does: sentences get their ends reworded between two releases. No answer
    where the words went from one function to another around that time.
    """
    for places_of, text in ((query.places_with_words, "this text"), (query.places_that_begin, "how the text begins")):
        found = [places for release in releases if (places := places_of(query.files(release)))]
        if found and all(same_place(place, found[0][0]) for places in found for place in places):
            why = f"{because}; {found[0][0].revision.name}, the nearest release, has {text} in this file"
            return (Candidate(found[0][0], Trust.NEAR, why),)
        if found:
            return ()
    return ()


def words_at_nearest_line(query: Query, releases: Sequence[Revision]) -> tuple[Candidate, ...]:
    """The words in the printed file, at the release whose line is nearest to the printed one.

    For a commit that nothing knows. Where the printed column is that of some releases, only those count: it tells how
    deep the call was nested then. No answer where they do not agree on the function.
    """
    places = [place for release in releases for place in query.places_with_words(query.files(release))]
    column = query.location.column
    same_column = [p for p in places if column is not None and p.site and p.site.column == column]
    kept = same_column or places
    if not kept or not all(same_place(place, kept[0]) for place in kept):
        return ()
    nearest = min(kept, key=lambda place: abs(place.line - query.line))
    at = f"at this column, {abs(nearest.line - query.line)} lines off" if same_column else "in this file"
    why = f"no revision has it at this line; {nearest.revision.name}, the nearest release, has this text {at}"
    return (Candidate(nearest, Trust.NEAR, why),)


def same_function(query: Query, releases: Sequence[Revision]) -> tuple[Candidate, ...]:
    """An implicit panic between releases: answered where the line lies in one and the same function at each of them.

    A release without the file leaves one side open: the file was new or moved, and its lines with it.
    """
    if not needs_no_site(query.panic.message):
        return ()
    places: list[Place] = []
    for release in releases:
        files = query.files(release)
        if not files:
            return ()
        for file in files:
            place = query.function(file)
            if place is None:
                return ()
            places.append(place)
    names = " and ".join(dict.fromkeys(p.revision.name for p in places))
    return one_function(places, Trust.NEAR, f"the line lies in the same function at {names}")


def same_place(one: Place, other: Place) -> bool:
    """One function, maybe of a renamed type or in a moved file."""
    return _last(one.function) == _last(other.function) and one.path.rpartition("/")[2] == other.path.rpartition("/")[2]


def _last(function: str) -> str:
    return function.rpartition("::")[2]
