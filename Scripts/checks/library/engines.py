"""Loads the events of one fleet into the command's SQLite, into DuckDB and into PostgreSQL, and compares the answers. Each
engine runs the SQL that `pushbridge fleet --sql` prints.

usage: engines.py PUSHBRIDGE PHONES [--postgresql FOLDER] [--times EVENTS]

FOLDER contains the socket of a running PostgreSQL. If FOLDER is not given, PostgreSQL is skipped. With --times, the
loaded rows are repeated, each time as new attempts, until there are EVENTS events. DuckDB and SQLite then summarise the
events. The script compares the results and prints the time of each step.
"""
import argparse
import csv
import io
import json
import pathlib
import random
import sqlite3
import subprocess
import sys
import tempfile
import time

import duckdb

FIRST = ("schema", "load", "attempts")
LOAD_LINES = (
    "INSERT INTO lines SELECT 'events', row_number() OVER (), line FROM read_csv('{events}', "
    "columns = {{'line': 'VARCHAR'}}, header = false, delim = '\\x01', quote = '', escape = '', strict_mode = false)"
)
TABLES = ("events", "event_troubles", "event_reasons", "push_events")


def parts(binary, dialect):
    """The parts of the SQL script for a dialect, by name and in their order."""
    text = subprocess.run([binary, "fleet", "--sql", dialect], check=True, capture_output=True, text=True).stdout
    return {part.split("\n", 1)[0]: part.split("\n", 1)[1] for part in text.split("-- @ ")[1:]}


def camel(name):
    """The JSON name of a column in SQL."""
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


class Clock:
    """Prints the times of steps, if `--times` is given."""

    def __init__(self, prints):
        self.prints, self.start = prints, time.monotonic()

    def step(self, words):
        now = time.monotonic()
        if self.prints:
            print(f"fleet: {words}: {now - self.start:.1f} s", flush=True)
        self.start = now


def step(chance, number):
    """The event of a step of a push, as `MigrationRollout.record` writes it. Some events have values of a later version."""
    push = {"kind": chance.choice(["arrival", "presentation", "answer", "answer", "other"]), "result": chance.choice(["stored", "failed", 7])}
    if chance.random() < 0.5:
        push["delay"] = chance.choice(["under1s", "under10s", "x" * 41])
    return json.dumps({
        "attemptId": f"00000000-0000-4000-8000-{number:012}", "day": "2026-11-25", "push": push, "schema": 1,
        "versions": {"app": chance.choice(["5.0 (500)", "4.9"]), "package": "1", "system": "iOS 26.1.0"},
    })


def plant(binary, phones, folder):
    """A file of events in a random order. Some events occur twice, and some lines are damaged."""
    sound = folder / "events.jsonl"
    arguments = ["--phones", str(phones), "--seed", "26", "--events-only", "--to", str(sound)]
    subprocess.run([binary, "fleet", "simulate", *arguments, "--defect", "unproven", "--defect-share", "0.05"],
                   check=True, stdout=subprocess.DEVNULL)
    lines = sound.read_text().splitlines()
    chance = random.Random(26)
    late = chance.sample(lines, len(lines) // 50)
    damaged = [line[: chance.randrange(1, len(line) - 1)] for line in chance.sample(lines, len(lines) // 500)]
    newer = [line.replace('"schema":1', '"schema":2') for line in chance.sample(lines, 20)]
    strange = [line.replace('"counts":[', '"counts":"', 1).replace("],", '",', 1) for line in chance.sample(lines, 20)]
    odd = ["[]", "7", '"text"', "null", "{}", '{"schema":1}', "\u00e9\u6f22, plain text", '{"a":"\\"'] + strange
    odd += [line.replace('"attempt":', '"attempt":-') for line in chance.sample(lines, 5)]
    odd += [line.replace('"day":"2', '"day":"x') for line in chance.sample(lines, 5)]
    odd += [line.replace('"code":"', '"code":"new') for line in lines if '"code"' in line][:50]
    pushes = [step(chance, number) for number in range(len(lines) // 100)]
    mixed = lines + late + damaged + newer + odd + pushes + pushes[::10]
    chance.shuffle(mixed)
    sound.write_text("\n".join(mixed) + "\n")
    return sound


def of_command(binary, events):
    """The answers of the command: its JSON output, which contains the rows for each question."""
    done = subprocess.run([binary, "fleet", str(events), "--json"], capture_output=True, text=True)
    if done.returncode not in (0, 2, 3):
        raise SystemExit(f"fleet: the command ended with {done.returncode}: {done.stderr}")
    return json.loads(done.stdout)


def of_duckdb(sql, events, folder, clock):
    """The answers of DuckDB. For each question, they contain the names of the columns and the rows."""
    database = duckdb.connect(str(folder / "fleet.duckdb"))
    database.execute(sql["schema"])
    database.execute(LOAD_LINES.format(events=events))
    database.execute(sql["load"])
    clock.step("DuckDB loads")
    database.execute(sql["attempts"])
    answers = {}
    for name in sql:
        if name not in FIRST:
            rows = database.execute(sql[name])
            names = [column[0] for column in rows.description]
            answers[name] = names, [[str(value) for value in row] for row in rows.fetchall()]
    clock.step("DuckDB summarises")
    return answers


def of_postgresql(sql, events, socket, clock):
    """The answers of PostgreSQL, from its own client."""
    client = ["psql", "-h", str(socket), "-U", "fleet", "-d", "postgres", "-X", "-q", "-v", "ON_ERROR_STOP=1"]

    def run(text):
        done = subprocess.run(client, input=text, capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(f"fleet: PostgreSQL: {done.stderr[:2000]}")
        return done.stdout

    run(
        sql["schema"] + "CREATE UNLOGGED TABLE incoming (number BIGSERIAL, line TEXT);\n"
        f"\\copy incoming (line) from '{events}' with (format csv, delimiter e'\\x01', quote e'\\x02')\n"
        "INSERT INTO lines SELECT 'events', number, line FROM incoming;\n" + sql["load"] + "ANALYZE;\n"
    )
    clock.step("PostgreSQL loads")
    run(sql["attempts"] + "ANALYZE attempts;\n")
    answers = {}
    for name in sql:
        if name not in FIRST:
            query = sql[name].strip().rstrip(";")
            text = run(f"COPY (\n{query}\n) TO STDOUT WITH (FORMAT csv, HEADER);\n")
            names, *rows = csv.reader(io.StringIO(text))
            answers[name] = names, rows
    clock.step("PostgreSQL summarises")
    return answers


def repeated(columns, times):
    """Statements that repeat the loaded rows, each time as new attempts. `columns` returns the columns of a table."""
    numbers = f"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {times - 1})"
    for table in TABLES:
        rest = [column for column in columns(table) if column != "attempt_id"]
        yield (
            f"INSERT INTO {table} (attempt_id, {', '.join(rest)}) {numbers} "
            f"SELECT t.attempt_id || '.' || CAST(n.i AS TEXT), {', '.join('t.' + column for column in rest)} FROM {table} AS t, n"
        )


def summarised(database, sql):
    """The rows of every question as texts."""
    return {
        name: [[str(value) for value in row] for row in database.execute(query).fetchall()]
        for name, query in sql.items() if name not in FIRST
    }


def at_size(scripts, events, folder, total, size, clock):
    """Makes DuckDB and SQLite summarise many events, prints their times, and returns the differences."""
    times = -(-size // total)
    lines = events.read_text().splitlines()
    duck = duckdb.connect(str(folder / "large.duckdb"))
    lite = sqlite3.connect(folder / "large.sqlite", isolation_level=None)
    lite.executescript("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -200000")
    answers = []
    for engine, database, sql in (("DuckDB", duck, scripts["duckdb"]), ("SQLite", lite, scripts["sqlite"])):
        run = database.executescript if engine == "SQLite" else database.execute
        run(sql["schema"])
        database.execute("BEGIN")
        if engine == "SQLite":
            database.executemany("INSERT INTO lines VALUES ('events', ?, ?)", list(enumerate(lines, 1)))
        else:
            database.execute(LOAD_LINES.format(events=events))
        database.execute("COMMIT")
        run(sql["load"])
        clock.step(f"{engine} loads {total} events")
        for statement in repeated(
            lambda table: [column[0] for column in database.execute(f"SELECT * FROM {table} LIMIT 0").description], times
        ):
            database.execute(statement)
        clock.step(f"{engine} repeats them {times} times")
        run(sql["attempts"])
        answers.append(summarised(database, sql))
        clock.step(f"{engine} summarises {answers[-1]['totals'][0][0]} events")
    return [f"of {size} events, DuckDB and SQLite differ in {name}" for name in answers[0] if answers[0][name] != answers[1][name]]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("phones", type=int)
    parser.add_argument("--postgresql")
    parser.add_argument("--times", type=int, metavar="EVENTS")
    options = parser.parse_args()
    clock = Clock(options.times)
    # All engines run the same questions. So only the other parts of the scripts may differ.
    scripts = {dialect: parts(options.binary, dialect) for dialect in ("sqlite", "duckdb", "postgresql")}
    failures = []
    for dialect, script in scripts.items():
        for name in script:
            if name not in ("schema", "load") and script[name].strip() != scripts["sqlite"][name].strip():
                failures.append(f"{dialect} has a different text of {name}")
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        events = plant(options.binary, options.phones, folder)
        clock.step("simulate writes")
        expected = of_command(options.binary, events)
        clock.step("the command loads and summarises")
        answers = {"DuckDB": of_duckdb(scripts["duckdb"], events, folder, clock)}
        if options.postgresql:
            answers["PostgreSQL"] = of_postgresql(scripts["postgresql"], events, options.postgresql, clock)
        if options.times:
            failures += at_size(scripts, events, folder, expected["totals"][0]["events"], options.times, clock)
    rows = 0
    for engine, tables in answers.items():
        for name, (names, found) in tables.items():
            columns = [camel(column) for column in names]
            own = [[str(row[column]) for column in columns] for row in expected[camel(name)]]
            rows += len(own)
            # The engine and the JSON must have the same columns, except that the command adds the number of a
            # reason.
            if own and set(expected[camel(name)][0]) - {"number"} != set(columns):
                failures.append(f"{engine}: {name} has the columns {columns}")
            for ours, theirs in zip(own, found):
                if ours != theirs:
                    failures.append(f"{engine}: {name}: {theirs}, but the command returns {ours}")
            if len(own) != len(found):
                failures.append(f"{engine}: {name} has {len(found)} rows, but the command has {len(own)}")
    # Two empty answers are equal, so they prove nothing.
    if not all(expected[camel(name)] for name in scripts["sqlite"] if name not in FIRST):
        failures.append("the answer to a question has no rows; plant more events")
    for failure in failures[:50]:
        print(f"fleet: {failure}", file=sys.stderr)
    engines = ", ".join(["the command", *answers])
    total = expected["totals"][0]
    print(f"fleet: {total['events']} events, {total['attempts']} attempts, {rows} rows compared of {engines}: {len(failures)} differences")
    sys.exit(1 if failures else 0)


main()
