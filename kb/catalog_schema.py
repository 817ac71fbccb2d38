"""The tables of a compiled catalogue. A change here changes FORMAT, and old compiled files are made anew."""

from __future__ import annotations

FORMAT = "4"

SCHEMA = """
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
CREATE TABLE revision (
    repo TEXT, place INTEGER, name TEXT, sha TEXT, date TEXT, prerelease INTEGER,
    crates TEXT, requires TEXT, checks TEXT, companions TEXT,
    PRIMARY KEY (repo, place)
) WITHOUT ROWID;
CREATE TABLE site_key (
    id INTEGER PRIMARY KEY, digest TEXT, repo TEXT, crate TEXT, function TEXT, kind TEXT, template TEXT
);
CREATE TABLE identity (
    id INTEGER PRIMARY KEY, site_key INTEGER, target TEXT, receiver TEXT, test INTEGER, macro_body INTEGER
);
CREATE TABLE file (id INTEGER PRIMARY KEY, repo TEXT, path TEXT);
CREATE TABLE version (
    file INTEGER, first INTEGER, last INTEGER, crate TEXT, sites TEXT, spans TEXT,
    PRIMARY KEY (file, first)
) WITHOUT ROWID;
CREATE TABLE stand (
    site_key INTEGER, first INTEGER, last INTEGER, file INTEGER,
    PRIMARY KEY (site_key, first, last, file)
) WITHOUT ROWID;
CREATE TABLE link (
    old INTEGER, new INTEGER, step INTEGER, how TEXT,
    PRIMARY KEY (old, new, step)
) WITHOUT ROWID;
CREATE TABLE name (repo TEXT, name TEXT, runs TEXT, PRIMARY KEY (repo, name)) WITHOUT ROWID;
CREATE TABLE past (id INTEGER PRIMARY KEY, repo TEXT, path TEXT, data BLOB);
CREATE TABLE history (
    repo TEXT, sha TEXT, date TEXT, nearest TEXT, main INTEGER, place INTEGER, parent TEXT,
    PRIMARY KEY (repo, sha)
) WITHOUT ROWID;
"""

INDEXES = """
CREATE UNIQUE INDEX site_key_digest ON site_key (digest);
CREATE INDEX identity_target ON identity (target) WHERE target <> '';
CREATE UNIQUE INDEX file_path ON file (repo, path);
CREATE INDEX version_crate ON version (crate, first, last);
CREATE INDEX link_new ON link (new);
CREATE UNIQUE INDEX past_path ON past (repo, path);
CREATE INDEX history_place ON history (repo, place) WHERE place >= 0;
CREATE INDEX history_date ON history (repo, main, date);
"""
