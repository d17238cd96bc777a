"""The tables of the local forge, as the list of steps that made them. Text only.

A step that has been released is never edited; a change is a new step. `PRAGMA user_version` is the number of
steps a database has seen.
"""

APPLICATION_ID = 0x53594E43
"""Written into the file's header, so that another program's database is told apart: "SYNC"."""

MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        """
        CREATE TABLE proposals (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            lane TEXT NOT NULL,
            run TEXT NOT NULL UNIQUE,
            branch TEXT NOT NULL,
            target TEXT NOT NULL,
            title TEXT NOT NULL,
            body TEXT NOT NULL,
            draft INTEGER NOT NULL DEFAULT 1 CHECK (draft IN (0, 1)),
            state TEXT NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'closed', 'merged', 'superseded')),
            head_sha TEXT NOT NULL,
            created REAL NOT NULL,
            superseded_by INTEGER REFERENCES proposals (number)
        )
        """,
        "CREATE INDEX proposals_by_lane ON proposals (lane, state)",
        """
        CREATE TABLE labels (
            proposal INTEGER NOT NULL REFERENCES proposals (number) ON DELETE CASCADE,
            label TEXT NOT NULL,
            PRIMARY KEY (proposal, label)
        )
        """,
        """
        CREATE TABLE comments (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            proposal INTEGER NOT NULL REFERENCES proposals (number) ON DELETE CASCADE,
            marker TEXT NOT NULL,
            body TEXT NOT NULL,
            created REAL NOT NULL,
            UNIQUE (proposal, marker)
        )
        """,
        # One row is one attempt at one check for one commit; `id` grows, so it tells the newest.
        """
        CREATE TABLE attempts (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            sha TEXT NOT NULL,
            name TEXT NOT NULL,
            attempt INTEGER NOT NULL CHECK (attempt >= 1),
            state TEXT NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'running', 'completed')),
            conclusion TEXT,
            summary TEXT NOT NULL DEFAULT '',
            log TEXT NOT NULL DEFAULT '',
            queued REAL NOT NULL,
            started REAL,
            ended REAL,
            worker TEXT NOT NULL DEFAULT '',
            token TEXT NOT NULL DEFAULT '',
            pid INTEGER,
            pid_start TEXT,
            boot TEXT,
            cut_off TEXT NOT NULL DEFAULT '' CHECK (cut_off IN ('', 'stopped', 'died')),
            blocked_by TEXT NOT NULL DEFAULT '',
            UNIQUE (sha, name, attempt),
            CHECK ((state = 'completed') = (conclusion IS NOT NULL)),
            CHECK ((state = 'running') <= (worker <> ''))
        )
        """,
        "CREATE INDEX attempts_running ON attempts (state) WHERE state = 'running'",
    ),
    # What was run under the check's name. Of older attempts nobody knows, so they count for no spec.
    ("ALTER TABLE attempts ADD COLUMN spec TEXT NOT NULL DEFAULT ''",),
)
