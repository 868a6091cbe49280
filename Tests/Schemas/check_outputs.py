#!/usr/bin/env python3
"""Runs the commands of the command line on real stores and holds what they print to the schemas in docs/schemas.

usage: check_outputs.py PUSHBRIDGE [PUSHBRIDGE_APNS]

An output that its schema does not allow fails; so does one with a member that the schema does not describe, a schema
without an output, and a member that no output has. Every command of `pushbridge help` that knows --json has to be here.
"""
import base64
import contextlib
import copy
import json
import os
import pathlib
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
import urllib.request

import jsonschema

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCHEMAS = ROOT / "docs" / "schemas"
FIXTURES = ROOT / "LegacyFixtures"
SECONDS = 60
# No import brings a credential that cannot answer our own simulator; our own call sites have no aliases.
RARE = {("rehearse-1", "<1>/credentials[]/reason"), ("audit-1", "/uses[]/alias")}


class Checked:
    """The schemas, the outputs that were held to them, and what was wrong."""

    def __init__(self):
        self.schemas = {path.name.removesuffix(".schema.json"): json.loads(path.read_text()) for path in SCHEMAS.glob("*.json")}
        self.outputs = {name: [] for name in self.schemas}
        self.failures = []
        for name, schema in self.schemas.items():
            jsonschema.Draft202012Validator.check_schema(schema)
            if schema["$id"] != f"{name}.schema.json":
                self.failures.append(f"{name}: its $id is {schema['$id']}")

    def hold(self, name, text):
        """Holds one output to a schema."""
        if name not in self.schemas:
            self.failures.append(f"{name}: there is no such schema")
            return None
        try:
            value = json.loads(text)
        except ValueError:
            self.failures.append(f"{name}: this is no JSON: {text[:200]!r}")
            return None
        self.outputs[name].append(value)
        for error in jsonschema.Draft202012Validator(closed(self.schemas[name])).iter_errors(value):
            place = "/".join(str(part) for part in error.absolute_path)
            self.failures.append(f"{name}: at /{place}: {error.message[:300]}")
        return value

    def finish(self):
        """Says what no output showed."""
        for name, schema in self.schemas.items():
            if not self.outputs[name]:
                self.failures.append(f"{name}: no output was held to it")
                continue
            seen = set()
            for output in self.outputs[name]:
                members(output, schema, schema, "", seen)
            for place in sorted(described(schema, schema, "") - seen):
                if (name, place) in RARE:
                    continue
                self.failures.append(f"{name}: no output has {place}; leave it out, or add a case here")
        return self.failures


def resolved(schema, root):
    """The schema, or the one that it refers to."""
    reference = schema.get("$ref")
    return root["$defs"][reference.rsplit("/", 1)[1]] if reference else schema


def closed(schema):
    """The schema with each object closed to members that it does not describe."""
    if isinstance(schema, list):
        return [closed(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    result = {key: closed(value) if key not in ("const", "enum", "required") else value for key, value in schema.items()}
    if isinstance(schema.get("properties"), dict) and schema.get("type") == "object":
        result["properties"] = {key: closed(value) for key, value in schema["properties"].items()}
        result.setdefault("additionalProperties", False)
    return result


def described(schema, root, place):
    """The places of all members that a schema describes."""
    schema = resolved(schema, root)
    places = set()
    for key, value in schema.get("properties", {}).items():
        places |= {f"{place}/{key}"} | described(value, root, f"{place}/{key}")
    if isinstance(schema.get("items"), dict):
        places |= described(schema["items"], root, f"{place}[]")
    for index, branch in enumerate(schema.get("oneOf", [])):
        places |= described(branch, root, f"{place}<{index + 1}>")
    return places


def members(value, schema, root, place, seen):
    """Adds the places of the members that a value has."""
    schema = resolved(schema, root)
    for index, branch in enumerate(schema.get("oneOf", [])):
        if jsonschema.Draft202012Validator({**branch, "$defs": root.get("$defs", {})}).is_valid(value):
            members(value, branch, root, f"{place}<{index + 1}>", seen)
    if isinstance(value, dict):
        for key, part in value.items():
            if key in schema.get("properties", {}):
                seen.add(f"{place}/{key}")
                members(part, schema["properties"][key], root, f"{place}/{key}", seen)
    elif isinstance(value, list) and isinstance(schema.get("items"), dict):
        for part in value:
            members(part, schema["items"], root, f"{place}[]", seen)


class CommandLine:
    """Runs commands in a separate folder."""

    def __init__(self, checked, binary, folder):
        self.checked, self.binary, self.folder = checked, binary, folder
        self.environment = dict(os.environ, XDG_DATA_HOME=str(folder / "data"), XDG_CACHE_HOME=str(folder / "cache"))

    def run(self, schema, *arguments, statuses=(0,)):
        """Runs a command with --json, and holds its output to a schema."""
        done = subprocess.run(
            [self.binary, *arguments, "--json"],
            cwd=self.folder, env=self.environment, capture_output=True, text=True, timeout=SECONDS,
        )
        if done.returncode not in statuses:
            self.checked.failures.append(f"{' '.join(arguments)}: status {done.returncode}: {done.stderr[:300]}")
        return self.checked.hold(schema, done.stdout)

    @contextlib.contextmanager
    def running(self, *arguments):
        """A long-running command, and the file with its output; the command is terminated afterwards."""
        with tempfile.NamedTemporaryFile("w+", dir=self.folder, delete=False) as output:
            process = subprocess.Popen(
                [self.binary, *arguments, "--json"],
                cwd=self.folder, env=self.environment, stdout=output, stderr=subprocess.DEVNULL,
            )
            try:
                yield process, pathlib.Path(output.name)
            finally:
                process.terminate()  # a shell's job in the background ignores an interruption
                process.wait(SECONDS)

    def commands(self):
        """The commands that know --json."""
        text = subprocess.run([self.binary, "--help"], capture_output=True, text=True, timeout=SECONDS).stdout
        names = re.findall(r"^  ([a-z]+) ", text.split("SUBCOMMANDS:")[1], re.MULTILINE)
        for name in names:
            text = subprocess.run([self.binary, name, "--help"], capture_output=True, text=True, timeout=SECONDS).stdout
            if "--json" in text:
                yield name


def first_line(path, process):
    """The first line that a command prints."""
    for _ in range(SECONDS * 10):
        text = path.read_text()
        if "\n" in text:
            return text.split("\n", 1)[0]
        if process.poll() is not None:
            break
        time.sleep(0.1)
    raise SystemExit("schemas: a long-running command printed nothing")


def ask(address, body=None):
    """The response of a control address."""
    data = None if body is None else json.dumps(body).encode()
    with urllib.request.urlopen(urllib.request.Request(address, data), timeout=SECONDS) as answer:
        return json.loads(answer.read() or b"null")


def stores(line):
    """Everything about stores."""
    for name in ("everyday.sqlite", "damaged.sqlite", "edges.jsonl", "sealed-mixed.jsonl"):
        shutil.copy(FIXTURES / name, line.folder)
    for name in ("everyday.sqlite", "damaged.sqlite", "edges.jsonl"):
        line.run("inspect-1", "inspect", name, statuses=(0, 1))
        line.run("plan-1", "plan", name, "--to", f"{name}.db", statuses=(0, 1))
        report = f"{name}.report.json"
        line.run("migrate-1", "migrate", name, "--to", f"{name}.db", "--report", report, statuses=(0, 1))
        line.checked.hold("migrate-1", (line.folder / report).read_text())
        line.run("report-verify-1", "report", "verify", report)
        line.run("verify-1", "verify", name, "--against", f"{name}.db", statuses=(0, 1))
        line.run("credentials-1", "credentials", f"{name}.db")
        line.run("doctor-1", "doctor", name, statuses=(0, 1))
        line.run("doctor-1", "doctor", f"{name}.db", statuses=(0, 1))
    line.run("inspect-1", "inspect", "sealed-mixed.jsonl", statuses=(0, 1))
    line.run("migrate-1", "migrate", "sealed-mixed.jsonl", "--to", "sealed.db", statuses=(0, 1))
    items = ["migrate", "edges.jsonl", "--to", "items.jsonl", "--as", "successor-items", "--include-secrets"]
    line.run("migrate-1", *items)
    line.run("verify-signing-1", "verify", "items.jsonl")
    unable_to_sign(line.folder / "items.jsonl", line.folder / "raw.jsonl")
    line.run("verify-signing-1", "verify", "raw.jsonl", statuses=(1,))
    for form in ("legacy-store", "migration-export"):
        line.run("export-1", "export", "edges.jsonl.db", "--as", form, "--to", f"export-{form}", "--include-secrets")
    line.run("export-1", "export", "edges.jsonl.db", "--as", "legacy-json", "--to", "export-json")
    line.run("move-1", "move", "edges.jsonl.db", "--to", "moved.db", "--dry-run")
    line.run("move-1", "move", "edges.jsonl.db", "--to", "moved.db")
    line.run("move-1", "move", "moved.db", "--to", "edges.jsonl.db")
    line.run("migrate-1", "migrate", "everyday.sqlite", "--to", "torn.db", statuses=(0, 1))
    with contextlib.closing(sqlite3.connect(line.folder / "torn.db")) as torn, torn:
        torn.execute("UPDATE record SET form = x'00' WHERE kind = 2")
    line.run("move-1", "move", "torn.db", "--to", "whole.db", statuses=(1,))
    line.run("rehearse-1", "rehearse", "everyday.sqlite.db")
    line.run("rehearse-1", "rehearse", "edges.jsonl.db", statuses=(0, 1))
    line.run("rehearse-1", "rehearse")
    line.run("migrate-into-1", "migrate", "edges.jsonl", "damaged.sqlite", "sealed-mixed.jsonl", "--into", "many", "--report", "many.json", statuses=(0, 1))
    line.checked.hold("migrate-into-1", (line.folder / "many.json").read_text())
    (line.folder / "notes.txt").write_text("This is no store.")
    line.run("migrate-into-1", "migrate", "edges.jsonl", "notes.txt", "--into", "many", statuses=(0, 1))
    for name in ("everyday.sqlite", "damaged.sqlite"):
        backup = f"{name}.backup"
        line.run("retire-1", "retire", name, "--against", f"{name}.db", "--backup", backup, statuses=(0, 1))


def unpadded(secret):
    """A secret in the form that an early migrator copied: unpadded base64url."""
    return secret.replace("+", "-").replace("/", "_").rstrip("=")


def unable_to_sign(items, copy_of_them):
    """Writes the items with other push secrets."""
    lines = []
    for text in items.read_text().splitlines():
        item = json.loads(text)
        if item["svce"] == "com.pingidentity.push.credentials":
            value = json.loads(base64.b64decode(item["data"]))
            value["sharedSecret"] = unpadded(value["sharedSecret"])
            item["data"] = base64.b64encode(json.dumps(value).encode()).decode()
        lines.append(json.dumps(item))
    copy_of_them.write_text("\n".join(lines) + "\n")


def auditing(line):
    """The audit of this repository's own call sites, from the index of its build."""
    arguments = ["audit", str(ROOT / ".build"), "--project", str(ROOT)]
    line.run("audit-1", *arguments)
    earlier = line.folder / "audit.json"
    earlier.write_text(json.dumps(line.checked.outputs["audit-1"][-1]))
    line.run("audit-1", *arguments, "--baseline", str(earlier))
    line.run("audit-table-1", "audit", "--table")


def phones(line):
    """A server, phones, and the stand-in for APNs."""
    with line.running("apns", "serve") as (process, file):
        line.checked.hold("apns-serve-1", first_line(file, process))
        line.run("apns-explain-1", "apns", "explain")
        token = "00ff" * 16
        send = ["apns", "send", token, "--apns", str(file), "--title", "A title"]
        line.run("apns-send-dry-run-1", *send, "--dry-run")
        line.run("apns-send-1", *send)
        line.run("apns-send-1", *send, "--topic", "another.app", statuses=(1, 64, 65, 66, 69, 75))
        with line.running("simulate", "--apns", str(file)) as (server, output):
            service = line.checked.hold("simulate-1", first_line(output, server))
            line.run("conform-2", "conform", "--server", service["base"], "--control", service["localControl"], "--answer")
            line.run("conform-2", "conform", "--server", service["base"])
            phone_life(line, service, server, file)
        late_phone(line, file)
    with line.running("simulate", "--listen", "127.0.0.1") as (server, output):
        line.checked.hold("simulate-1", first_line(output, server))


def phone_life(line, service, server, apns):
    """A phone that sees each kind of event; its lines are held one by one."""
    control = service["localControl"]
    send = ["apns", "send", "--apns", str(apns)]
    keys = ["a", "o", "x", "x", "a", "r", "zz", "t"]
    options = ["phone", "--api", "async", "--apns", str(apns), "--enrol", service["uri"], "--pushes", "8"]
    for key in keys:
        options += ["--press", key]
    with line.running(*options) as (phone, output):
        token = json.loads(first_line(output, phone))["token"]
        device = ask(f"{control}/devices")[0]["mechanismUid"]

        def push(kind):
            return ask(f"{control}/pushes", {"mechanismUid": device, "type": kind, "numbers": "34,43,57"})

        answered = push("default")
        shows(output, "answered")
        payload = line.folder / "answered.json"
        payload.write_text(json.dumps(answered["payload"]))
        line.run("apns-send-1", *send, token, "--payload", str(payload))
        line.run("apns-send-1", *send, token, "--title", "News", "--body", "Of another sender.")
        line.run("apns-send-1", *send, token, "--content-available")
        for kind in ("challenge", "default"):
            push(kind)
        shows(output, "dismissed")
        # There is no listener when the last one is approved.
        last = push("default")
        shows(output, "dismissed", times=2)
        server.terminate()
        server.wait(SECONDS)
        payload.write_text(json.dumps(last["payload"]))
        line.run("apns-send-1", *send, token, "--payload", str(payload))
        for _ in range(SECONDS):
            if phone.poll() is not None:
                break
            time.sleep(1)
        for text in output.read_text().splitlines():
            line.checked.hold("phone-1", text)


def late_phone(line, apns):
    """A phone that enrols when the page of its code has given up."""
    with line.running("simulate", "--patience", "1") as (server, output):
        service = line.checked.hold("simulate-1", first_line(output, server))
        time.sleep(3)
        options = ["--api", "legacy", "--apns", str(apns), "--enrol", service["uri"], "--control", service["control"]]
        with line.running("phone", *options) as (phone, told):
            shows(told, "notStored")
            for text in told.read_text().splitlines():
                line.checked.hold("phone-1", text)


def shows(output, event, times=1):
    """Waits until a phone told an event."""
    for _ in range(SECONDS * 10):
        if output.read_text().count(f'"event":"{event}"') >= times:
            return
        time.sleep(0.1)
    raise SystemExit(f"schemas: no {event} of the phone, but {output.read_text()[-2000:]}")


def comparing(line):
    """Both APIs side by side."""
    line.run("parity-1", "parity", "--only", "number")
    line.run("parity-divergences-1", "parity", "--divergences")
    with line.running("lab", "--no-open") as (process, file):
        line.checked.hold("lab-1", first_line(file, process))


def fleets(line):
    """Events of phones that do not exist."""
    for number, options in enumerate([[], ["--defect", "unproven"], ["--defect", "crash", "--defect-system", "all", "--events-only"]]):
        name = f"fleet-{number}.jsonl"
        line.run("fleet-simulate-1", "fleet", "simulate", "--phones", "3000", "--to", name, *options)
        with open(line.folder / name, "a") as events:
            events.write("no event\n")
            push = {"kind": "answer", "result": "approved", "delay": "under1min"}
            versions = {"app": "5.0 (500)", "package": "1", "system": "iOS 26.1.0"}
            event = {"schema": 1, "attemptId": "00000000-0000-4000-8000-000000000001", "push": push, "versions": versions, "day": "2026-11-25"}
            events.write(f"{json.dumps(event)}\n")
        line.run("fleet-1", "fleet", name, "--installed", "3000", "--installed", "iOS 26.1.0=900", statuses=(0, 2, 3))
        line.run("fleet-1", "fleet", name, "--phase", "5", "--report", f"{name}.report.json", statuses=(0, 2, 3))
        line.checked.hold("fleet-1", (line.folder / f"{name}.report.json").read_text())
    line.run("fleet-trial-1", "fleet", "trial", "--roll-outs", "1", "--phones", "1000")


def main():
    binary = os.path.abspath(sys.argv[1])
    checked = Checked()
    with tempfile.TemporaryDirectory() as folder:
        line = CommandLine(checked, binary, pathlib.Path(folder).resolve())
        stores(line)
        phones(line)
        auditing(line)
        comparing(line)
        fleets(line)
        tried = {name.split("-")[0] for name in checked.schemas}
        for command in line.commands():
            if command not in tried:
                checked.failures.append(f"{command} knows --json and has no schema")
    failures = checked.finish()
    count = sum(len(outputs) for outputs in checked.outputs.values())
    for failure in failures:
        print(f"schemas: {failure}", file=sys.stderr)
    print(f"schemas: {count} outputs held to {len(checked.schemas)} schemas, {len(failures)} failures")
    sys.exit(1 if failures else 0)


main()
