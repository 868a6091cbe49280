#!/usr/bin/env python3
"""Measures what a migration carries over, on the public fixtures, by a reader that shares no code with ours.

usage: carried_over.py PUSHBRIDGE [--check PAGE]

Each store is migrated into the items that the successor SDK reads. What came of each credential is then computed here: the
response to a challenge, one-time codes, the address of an answer; and compared with what the legacy record does, which
stands in the fixtures' *.expected.json. Prints a table; with --check, fails if the page does not show it.
"""
import base64
import hashlib
import hmac
import json
import pathlib
import plistlib
import re
import shutil
import subprocess
import sys
import tempfile

FIXTURES = pathlib.Path(__file__).resolve().parents[2] / "LegacyFixtures"
STORES = [
    ("everyday", ["everyday.sqlite", "everyday.plist", "everyday.jsonl"]),
    ("everyday", ["everyday-sdk-2.0.sqlite", "everyday-sdk-3.1.sqlite", "everyday-sdk-3.3.sqlite", "everyday-sdk-4.0.sqlite"]),
    ("edges", ["edges.sqlite", "edges.plist", "edges.jsonl"]),
]
CREDENTIALS = ("push", "totp", "hotp")
# The outcomes of records that arrived; OutcomeTests compares them with the migration's.
ARRIVED = ("migrated", "alreadyPresent", "kept")
PUSH, NOTIFICATIONS, TOKENS, OATH, SECRETS = (
    f"com.pingidentity.{name}" for name in ("push.credentials", "push.notifications", "push.tokens", "oath", "oath.secrets"))


def one_time_password(secret, algorithm, counter, digits):
    """RFC 4226; of digests that are shorter than the truncation wants there is no code."""
    key = base64.b32decode(secret + "=" * (-len(secret) % 8))
    digest = hmac.new(key, counter.to_bytes(8, "big"), getattr(hashlib, algorithm.lower())).digest()
    offset = digest[-1] & 15
    if offset + 4 > len(digest):
        return None
    return str((int.from_bytes(digest[offset:offset + 4], "big") & 0x7FFFFFFF) % 10**digits).zfill(digits)


def push_works(item, expected, legacy):
    """Whether it signs as the legacy mechanism does, and answers where that does."""
    if item.get("sharedSecret") is None:
        return False
    secret = base64.b64decode(item["sharedSecret"], validate=True)
    challenge = base64.b64decode(expected["probeChallenge"])
    response = base64.b64encode(hmac.new(secret, challenge, hashlib.sha256).digest()).decode()
    # A credential without addresses uses those that the SDK derives from the server's address.
    address = item.get("pushBridge", {}).get("authenticationEndpoint", item["serverEndpoint"] + "?_action=authenticate")
    return response == expected["probeResponse"] and address == legacy["authenticationEndpoint"]


def oath_works(item, secret, expected):
    """Whether it makes the codes that the legacy mechanism makes."""
    make = lambda counter: one_time_password(secret, item["oathAlgorithm"], counter, item["digits"])
    if "codes" in expected:
        return all(make(int(time) // item["period"]) == code for time, code in expected["codes"].items())
    return item["counter"] == expected["counter"] and make(item["counter"]) == expected["codeAtCounter"]


def items_of(store, pushbridge, folder):
    """Migrates a store, and returns its report and the successor's items by service and account."""
    copy = shutil.copy(FIXTURES / store, folder)
    out = folder / f"{store}.items"
    run = subprocess.run(
        [pushbridge, "migrate", copy, "--as", "successor-items", "--to", out, "--include-secrets", "--json"],
        capture_output=True, text=True)
    if run.returncode not in (0, 1):
        sys.exit(f"carried-over: {store}: {run.stderr}")
    items = {}
    for line in out.read_text().splitlines():
        item = json.loads(line)
        items.setdefault(item["svce"], {})[item["acct"]] = base64.b64decode(item["data"])
    return json.loads(run.stdout), items


def verdict(expected, items):
    """What became of a credential: usable, changed or lost."""
    legacy = json.loads(expected["json"])
    identity = legacy["mechanismUID"]
    if expected["kind"] == "push":
        item = items.get(PUSH, {}).get(identity)
        return "lost" if item is None else "usable" if push_works(json.loads(item), expected, legacy) else "changed"
    item, secret = items.get(OATH, {}).get(identity), items.get(SECRETS, {}).get(identity)
    if item is None or secret is None:
        return "lost"
    return "usable" if oath_works(json.loads(item), secret.decode(), expected) else "changed"


def token_of(store):
    """The device token of a store of JSON lines, as its keyed archive has it; `None` if there is none."""
    for line in (FIXTURES / store).read_text().splitlines():
        item = json.loads(line)
        if item["svce"].endswith(".pushDeviceToken"):
            objects = plistlib.loads(base64.b64decode(item["data"]))["$objects"]
            return next(text for text in objects if isinstance(text, str) and re.fullmatch("[0-9A-F]{64}", text))
    return None


def is_carried(record, items, kept):
    """Whether any other record of a store was carried over: as a separate item, or as a record that was kept verbatim."""
    value = json.loads(record["json"])
    if (record["kind"], record["key"]) in kept:
        return True
    if record["kind"] == "notification":
        item = items.get(NOTIFICATIONS, {}).get(value["id"])
        return item is not None and json.loads(item)["messageId"] == value["messageId"]
    if record["kind"] == "deviceToken":
        item = items.get(TOKENS, {}).get("current")
        return item is not None and json.loads(item)["token"].lower() == value["tokenId"].lower()
    accounts = [json.loads(item) for item in items.get(f"{PUSH}.accounts", {}).values()]
    return any((a["issuer"], a["accountName"]) == (value["issuer"], value["accountName"]) for a in accounts)


def measured(pushbridge, folder):
    """The lines of the table."""
    sums = {"usable": 0, "changed": 0, "lost": 0}
    rows, all_records, all_carried = [], 0, 0
    for truth, stores in STORES:
        known = json.loads((FIXTURES / f"{truth}.expected.json").read_text())
        for store in stores:
            report, items = items_of(store, pushbridge, folder)
            kept = {(r["kind"], r["key"]) for r in report["records"] if r["outcome"] == "kept"}
            held = {r["key"] for r in report["records"]}
            expected = [record for record in known if record["key"] in held]
            # Older SDKs wrote no device token; the truth about it is in the archive.
            if "deviceToken" in held:
                token = json.dumps({"tokenId": token_of(f"{truth}.jsonl")})
                expected.append({"kind": "deviceToken", "key": "deviceToken", "json": token})
            if len(expected) != len(report["records"]):
                sys.exit(f"carried-over: {store} has records that {truth}.expected.json does not know")
            counts = dict.fromkeys(sums, 0)
            carried = 0
            for record in expected:
                if record["kind"] in CREDENTIALS:
                    counts[verdict(record, items)] += 1
                else:
                    carried += is_carried(record, items, kept)
            others = sum(record["kind"] not in CREDENTIALS for record in expected)
            rows.append((store, counts, others, carried))
            for name in sums:
                sums[name] += counts[name]
            all_records += others
            all_carried += carried
    damaged, _ = items_of("damaged.sqlite", pushbridge, folder)
    notes = json.loads((FIXTURES / "damaged.notes.json").read_text())
    sound = {note["acct"] for note in notes if note["damage"] == "ok"}
    arrived = {r["key"] for r in damaged["records"] if r["outcome"] in ARRIVED}
    return rows, sums, all_records, all_carried, (damaged["totals"], len(sound & arrived), len(sound))


def table(pushbridge, folder):
    rows, sums, others, carried, (totals, arrived, sound) = measured(pushbridge, folder)
    credentials = sum(sums.values())
    stays = totals["records"] - sum(totals[outcome] for outcome in ARRIVED)
    return [
        "| the public fixtures, with ours | records | result |",
        "| --- | --- | --- |",
        f"| {len(rows)} sound stores: credentials | {credentials} | "
        f"{sums['usable']} usable / {sums['changed']} changed / {sums['lost']} lost |",
        f"| the same: accounts, notifications, device token | {others} | {carried} carried over / {others - carried} lost |",
        f"| a damaged store | {totals['records']} | {totals['migrated'] + totals['kept']} carried over, "
        f"{stays} stay where they are, each with its reason |",
        f"| sound records in it | {sound} | {arrived} carried over |",
    ], rows


def main(pushbridge, page=None):
    with tempfile.TemporaryDirectory() as scratch:
        lines, rows = table(pushbridge, pathlib.Path(scratch))
    for store, counts, others, carried in rows:
        print(f"{store:26} credentials {counts['usable']:3} usable {counts['changed']} changed {counts['lost']} lost; "
              f"others {carried} of {others}")
    print("\n".join(lines))
    if page and "\n".join(lines) not in pathlib.Path(page).read_text():
        sys.exit(f"carried-over: {page} does not show this table")


main(*[argument for argument in sys.argv[1:] if argument != "--check"])
