"""Tests the lab's page: uses it as a person does. The name of each test states a fact. `Scripts/checks/lab test` runs this
script."""

import contextlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import traceback
import urllib.error
import urllib.request

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect, sync_playwright

from lab import PUSHBRIDGE, ROOT, ask, lab, parity, post, start_browser, state, window

sys.path.insert(0, os.path.join(ROOT, "Scripts/checks/library"))
from client import Device  # noqa: E402

TOKEN = {"do": "token", "hex": "0a1b2c"}
ENROL = {"do": "enrol", "credential": "user1"}


def button(place, name):
    return place.get_by_role("button", name=name, exact=True)


def phones(page):
    return page.locator("#legacy"), page.locator("#async")


def enrol(page, **fields):
    for name, value in fields.items():
        field = page.locator(f"#enrol [name={name}]")
        field.select_option(value) if name in ("oath", "realm") else field.fill(value)
    count = page.locator("#legacy article").count()
    button(page, "Scan with the phones").click()
    expect(page.locator("#legacy article")).to_have_count(count + 1)


def send(page, type="default", **fields):
    page.locator("#push [name=type]").select_option(type)
    if fields:
        page.locator("#push details").evaluate("details => { details.open = true; }")
    for name, value in fields.items():
        page.locator(f"#push [name={name}]").fill(value)
    steps = step_count(page)
    button(page, "Send push").click()
    wait_for_steps(page, steps + 1)


def step_count(page):
    match = re.match(r"(\d+) step", page.locator("#verdict").inner_text())
    return int(match[1]) if match else 0


def wait_for_steps(page, count):
    expect(page.locator("#verdict")).to_have_text(re.compile(rf"^{count} steps?:"))


def card(phone, push):
    return phone.locator("article", has=phone.page.locator("p", has_text=f"{push},"))


def do(page, target, count=1):
    steps = step_count(page)
    target.click()
    wait_for_steps(page, steps + count)


def login(page, push):
    """The state of a push on both login pages."""
    return page.locator("#logins tr", has_text=push).locator("td").all_inner_texts()[1:]


def a_whole_life_can_be_played_with_clicks(browser):
    with lab() as url, window(browser, url) as page:
        legacy, new = phones(page)
        enrol(page, issuer="Bank", account="ada", oath="totp")
        for phone in (legacy, new):
            expect(phone.locator("article h4", has_text="Bank: ada")).to_have_count(1)
            expect(phone.locator("article .code")).to_have_text(re.compile(r"^\d{6}$"))
        assert legacy.locator("article .code").inner_text() == new.locator("article .code").inner_text()
        before = legacy.locator("article .code").inner_text()
        do(page, button(page, "30 seconds later"))
        expect(legacy.locator("article .code")).not_to_have_text(before)

        send(page)
        do(page, button(card(legacy, "p1"), "Approve"))
        assert login(page, "p1") == ["approved", "approved"]
        send(page, "challenge", numbers="21,57,84", message="Transfer to {{user}}?")
        expect(card(new, "p2").locator("h4")).to_have_text("Transfer to ada?")
        do(page, button(card(new, "p2"), "21"))
        assert login(page, "p2") == ["approved", "approved"]
        send(page, "biometric")
        do(page, button(card(legacy, "p3"), "Approve with the face"))
        assert login(page, "p3") == ["approved", "approved"]
        send(page)
        do(page, button(card(new, "p4"), "Deny"))
        assert login(page, "p4") == ["denied", "denied"]

        account = legacy.locator("article", has=page.locator("summary"))
        account.locator("summary").click()
        account.get_by_label("New name").fill("Ada L.")
        do(page, button(account, "Rename"))
        expect(new.locator("h4", has_text="Bank: Ada L.")).to_have_count(1)
        do(page, button(account, "Show code"))
        do(page, button(legacy, "New device token"))
        do(page, button(new, "Restart the app"))
        do(page, button(legacy, "List pushes"))
        expect(page.locator("#verdict")).to_contain_text("different by design" if "different" in page.locator("#verdict").inner_text() else "same")
        do(page, button(account, "Lock"))
        do(page, button(account, "Unlock"))
        do(page, button(account, "Delete account"))
        expect(new.locator("h4", has_text="Bank: Ada L.")).to_have_count(0)
        assert state(url)["verdict"]["id"] in ("same", "differentByDesign")


def the_reason_for_a_difference_is_found_with_at_most_six_clicks(browser):
    with lab() as url, window(browser, url) as page:
        clicks = 0

        def click(target):
            nonlocal clicks
            clicks += 1
            target.click()

        click(button(page, "Scan with the phones"))
        expect(page.locator("#legacy article")).to_have_count(1)
        page.locator("#push [name=type]").focus()
        page.keyboard.type("challenge")
        clicks += 1
        click(button(page, "Send push"))
        number = card(page.locator("#legacy"), "p1").get_by_label("Number")
        click(number)
        page.keyboard.type("12")
        click(button(card(page.locator("#legacy"), "p1"), "Approve"))
        finding = page.locator(".finding summary", has_text="number-not-shown")
        click(finding)
        expect(page.locator(".finding")).to_contain_text("stored as denied")
        expect(page.locator(".finding")).to_contain_text("true ↔ false")
        assert clicks <= 6, clicks


def each_fault_affects_the_next_answer_and_both_phones_show_it(browser):
    with lab() as url, window(browser, url) as page:
        legacy, new = phones(page)
        enrol(page)
        kinds = page.locator("#fault [name=kind] option").evaluate_all("options => options.map(o => o.value)")
        assert len(kinds) == 7
        for number, kind in enumerate(kinds, 1):
            send(page)
            page.locator("#fault [name=kind]").select_option(kind)
            do(page, button(page, "Arm the fault"))
            do(page, button(card(legacy, f"p{number}"), "Approve"))
            fails = kind not in ("delay", "garbageBody")
            for phone in (legacy, new):
                result = card(phone, f"p{number}").locator(".result")
                expect(result).to_have_class(f"result {'failure' if fails else 'value'}")
            if fails:
                # Each API shows its own name of the error, even if the name is the only difference.
                sides = page.locator("#steps > li").first.locator(".sides:not(.once) > .side")
                expect(sides).to_have_count(2)
                assert "Error" in sides.nth(0).inner_text() and "PushError" in sides.nth(1).inner_text()
        assert state(url)["verdict"]["id"] == "same"


def a_locked_phone_and_a_refused_face_explain_differences(browser):
    with lab() as url, window(browser, url) as page:
        legacy, new = phones(page)
        enrol(page)
        send(page, "biometric")
        do(page, button(legacy, "Refuse the face"))
        do(page, button(card(legacy, "p1"), "Approve with the face"))
        expect(page.locator(".finding summary")).to_have_text(["who-asks-for-the-face"])
        do(page, button(new, "Recognise the face"))
        do(page, button(legacy, "Lock the phone"))
        do(page, button(card(legacy, "p1"), "Approve with the face"))
        expect(page.locator(".finding summary")).to_have_text(["locked-device", "who-asks-for-the-face"])
        do(page, button(new, "Unlock the phone"))
        do(page, button(card(new, "p1"), "Approve with the face"))
        assert login(page, "p1") == ["approved", "approved"]


def a_saved_scenario_has_the_verdict_that_was_shown(browser):
    with lab("--am-version", "8.1.0") as url, window(browser, url) as page:
        legacy, new = phones(page)
        enrol(page)
        send(page, "challenge")
        do(page, button(card(legacy, "p1"), "43"))
        card(legacy, "p1").get_by_label("Number").fill("12")
        do(page, button(card(legacy, "p1"), "Approve"))
        do(page, button(card(legacy, "p1"), "34"))
        page.get_by_label("Name", exact=True).fill("Wrong numbers")
        # The saved file has the name only after the lab has accepted the name.
        with page.expect_response(re.compile(r"/name$"), timeout=30_000):
            page.get_by_label("Name", exact=True).press("Enter")
            page.get_by_label("Name", exact=True).blur()
        expect(page.locator("#verdict")).to_contain_text("6 steps")
        with page.expect_download() as download:
            page.get_by_role("link", name="Save as a file").click()
        text = open(download.value.path()).read()
        shown = state(url)
        assert json.loads(text)["name"] == "Wrong numbers"
        verdict, ids = parity(text)
        assert verdict == shown["verdict"]["id"]
        assert set(ids) == {f["id"] for s in shown["steps"] for f in s["findings"] if f["kind"] == "design"}

        do_undo(page, 5)
        button(page, "Redo").click()
        wait_for_steps(page, 6)
        button(page, "Start over").click()
        expect(page.locator("#verdict")).to_have_text("No step played yet")
        page.get_by_label("Load a file").set_input_files(
            files=[{"name": "s.json", "mimeType": "application/json", "buffer": text.encode()}])
        wait_for_steps(page, 6)
        assert state(url)["verdict"] == shown["verdict"]
        button(page, "Replay").click()
        wait_for_steps(page, 6)
        button(page, "Replay slowly").click()
        wait_for_steps(page, 2)
        wait_for_steps(page, 6)
        page.get_by_label("Load a file").set_input_files(
            files=[{"name": "s.json", "mimeType": "application/json", "buffer": b'{"name":"n","steps":[{"do":"dance"}]}'}])
        expect(page.locator("#problem")).to_have_text('The file: There is no step "dance", at steps[0].do.')
        wait_for_steps(page, 6)


def do_undo(page, left):
    button(page, "Undo").click()
    wait_for_steps(page, left)


def a_step_on_one_phone_does_not_affect_the_other_phone(browser):
    with lab() as url, window(browser, url) as page:
        legacy, new = phones(page)
        enrol(page)
        send(page)
        page.get_by_label("only on that phone").check()
        do(page, button(card(new, "p1"), "Approve"))
        assert login(page, "p1") == ["waiting", "approved"]
        expect(page.locator("#verdict")).to_contain_text("not compared")
        assert parity(ask(url, "scenario.json")[1])[0] == "notCompared"


def with_a_shared_store_both_phones_show_a_change_without_a_reload(browser):
    with lab() as url, window(browser, url) as page:
        legacy, new = phones(page)
        page.locator("#settings [name=shared]").select_option("true")
        expect(page.get_by_label("only on that phone")).to_be_disabled()
        enrol(page)
        expect(new.locator("article")).to_have_count(1)
        send(page)
        expect(card(new, "p1")).to_have_count(1)
        button(card(new, "p1"), "Approve").click()
        expect(card(legacy, "p1").locator(".state")).to_have_text("approved")
        assert login(page, "p1") == ["approved", "approved"]


def two_windows_and_a_reloaded_page_show_the_same_state(browser):
    with lab() as url, window(browser, url) as page, window(browser, url) as other:
        enrol(page)
        wait_for_steps(other, 2)
        send(other)
        wait_for_steps(page, 3)
        do(page, button(card(page.locator("#legacy"), "p1"), "Deny"))
        wait_for_steps(other, 4)
        expect(card(other.locator("#async"), "p1").locator(".state")).to_have_text("denied")
        page.reload()
        wait_for_steps(page, 4)
        assert page.locator("#legacy").inner_text() == other.locator("#legacy").inner_text()
        assert page.locator("#steps").inner_text() == other.locator("#steps").inner_text()


def a_run_of_the_clock_is_one_step(browser):
    with lab() as url, window(browser, url) as page:
        enrol(page, oath="totp")
        before = page.locator("#clock").inner_text()
        button(page, "Run the clock").click()
        expect(page.locator("#clock")).not_to_have_text(before)
        for _ in range(2):
            before = page.locator("#clock").inner_text()
            expect(page.locator("#clock")).not_to_have_text(before)
        button(page, "Stop the clock").click()
        expect(button(page, "Run the clock")).to_be_visible()
        shown = state(url)
        assert [step["do"] for step in shown["steps"]] == ["advance", "enrol", "token"]
        post(url, "replay", {})
        again = state(url)
        assert again["clock"]["now"] == shown["clock"]["now"]
        assert again["phones"] == shown["phones"]


def a_dropped_store_is_planned_migrated_and_used(browser):
    fixture = f"{ROOT}/LegacyFixtures/everyday.sqlite"
    with lab() as url, window(browser, url) as page:
        legacy, new = phones(page)
        page.get_by_label("Your store").set_input_files(fixture)
        expect(page.locator("#store-words")).to_contain_text("everyday.sqlite: sqlite, 14 records")
        assert page.locator("#store-totals").inner_text().split() == ["migrated", "14"]
        assert page.locator("#store-records tr").count() == 14
        assert state(url)["count"] == 0
        do(page, button(page, "Migrate the store"))
        expect(page.locator("#store-words")).to_contain_text("The lab simulates the server of these accounts")
        for phone in (legacy, new):
            expect(phone.locator("article h4", has_text=re.compile(r".+: .+"))).to_have_count(4)
        names = page.locator("#push [name=credential] option").evaluate_all("options => options.map(o => o.value)")
        assert names
        for number, name in enumerate(names, 1):
            page.locator("#push [name=credential]").select_option(name)
            send(page)
            locked = any(account["isLocked"] for account in state(url)["phones"]["legacy"]["accounts"]
                         if account["credential"] == name)
            do(page, button(card(legacy, f"p{number}"), "Approve"))
            assert login(page, f"p{number}") == (["waiting"] * 2 if locked else ["approved"] * 2), name
        do(page, button(page, "30 seconds later"))
        shown = state(url)
        # Neither the page nor the file contains a secret of the store. The file refers to the store, which is beside
        # it.
        saved = ask(url, "scenario.json")[1]
        assert '"file" : "everyday.sqlite"' in saved
        records = [json.loads(one["json"]) for one in json.load(open(f"{ROOT}/LegacyFixtures/everyday.expected.json"))]
        secrets = [record["secret"] for record in records if record.get("secret")]
        assert len(secrets) >= 4
        texts = [saved, page.content(), ask(url, "state")[1]]
        texts += [ask(url, f"steps/{number}")[1] for number in range(1, shown["count"] + 1)]
        assert not any(secret in text for secret in secrets for text in texts)
        with tempfile.TemporaryDirectory() as folder:
            shutil.copy(fixture, folder)
            assert parity(saved, folder)[0] == shown["verdict"]["id"] in ("same", "differentByDesign")


def a_migration_in_the_lab_has_the_same_report_as_the_command(browser):
    fixture = f"{ROOT}/LegacyFixtures/damaged.sqlite"
    with lab() as url, window(browser, url) as page:
        page.get_by_label("Your store").set_input_files(fixture)
        do(page, button(page, "Migrate the store"))
        links = page.locator("#store-reports").get_by_role("link")
        expect(links).to_have_count(4)
        complaints = []
        page.context.on("page", lambda opened: opened.on("console", lambda message: complaints.append(message.text)))
        with page.context.expect_page() as opened:
            page.get_by_role("link", name="Report of step 1, new phone", exact=True).click()
        report = opened.value
        expect(report.locator("h1")).to_have_text("pushbridge migrate")
        expect(report.locator(".route")).to_have_text("damaged.sqlite (sqlite) → the new phone")
        # The report can use its style sheet, but it cannot run scripts.
        assert report.locator("h1").evaluate("h1 => getComputedStyle(document.body).maxWidth") == "1152px"
        assert "sandbox" in report.request.get(report.url).headers["content-security-policy"]
        assert complaints == [], complaints
        with page.expect_download() as download:
            page.get_by_role("link", name="Save the report of step 1, new phone").click()
        assert download.value.suggested_filename == "migration-1-async.html"
        saved = open(download.value.path()).read()
        with tempfile.TemporaryDirectory() as folder:
            paths = [f"{folder}/store.sqlite", f"{folder}/new.db", f"{folder}/report.html"]
            shutil.copy(fixture, paths[0])
            subprocess.run([PUSHBRIDGE, "migrate", paths[0], "--to", paths[1], "--report", paths[2]], capture_output=True)
            written = open(paths[2]).read()
            # A script checks the rules. The policy of the lab's response would block the script, so the test opens a
            # file.
            report.goto(f"file://{paths[2]}")
            check_access(report)
            report.go_back()
        # Only the command's page has a last part, which describes how the page was made. So this part is not compared.
        records = [text.split("<h2>Totals</h2>")[1].rsplit("</tbody>", 1)[0] for text in (saved, written)]
        assert records[0] == records[1]
        assert report.locator('.records tr[class^="r-"]').count() >= records[0].count('<tr class="r-') > 10
        # If a step migrated nothing, it has no report.
        post(url, "steps", TOKEN)
        for path in ("steps/2/report.html", "steps/9/report.html", "steps/x/report.html"):
            assert ask(url, path)[0] == 404


def the_page_shows_progress_before_the_result(browser):
    lines = open(f"{ROOT}/LegacyFixtures/everyday.jsonl").read().splitlines()
    store = []
    for number in range(200):
        for line in lines:
            item = json.loads(line)
            item["acct"] += f"-{number}"
            store.append(json.dumps(item))
    with lab() as url, window(browser, url) as page, window(browser, url) as other:
        events = []

        def listen():
            with contextlib.suppress(OSError), urllib.request.urlopen(url + "events", timeout=60) as response:
                kind = "state"
                for line in response:
                    if line.startswith(b"event: "):
                        kind = line[7:].strip().decode()
                    elif line.startswith(b"data: "):
                        events.append((kind, json.loads(line[6:])))
                        kind = "state"

        threading.Thread(target=listen, daemon=True).start()
        for one in (page, other):
            one.evaluate("""() => {
                window.seen = [];
                const place = document.getElementById("store-progress");
                new MutationObserver(() => window.seen.push(place.textContent)).observe(place, { childList: true });
            }""")
        page.get_by_label("Your store").set_input_files(
            files=[{"name": "large.jsonl", "mimeType": "text/plain", "buffer": "\n".join(store).encode()}])
        expect(page.locator("#store-words")).to_contain_text(f"{len(store)} records", timeout=60_000)
        button(page, "Migrate the store").click()
        expect(page.locator("#verdict")).to_have_text(re.compile("^1 step:"), timeout=60_000)
        expect(page.locator("#store-bar")).to_be_hidden()
        seen = page.evaluate("window.seen")
        assert [text for text in seen if re.fullmatch(r"\d+ (of \d+ )?records read", text)], seen
        assert [text for text in seen if re.fullmatch(r"\d+ (of \d+ )?records migrated", text)], seen
        seen = other.evaluate("window.seen")
        assert [text for text in seen if re.fullmatch(r"\d+ (of \d+ )?records done for another window", text)], seen
        expect(other.locator("#store-bar")).to_be_hidden()
        result = [kind == "state" and value["count"] == 1 for kind, value in events].index(True)
        before = [value["completed"] for kind, value in events[:result] if kind == "progress"]
        assert len(before) >= 2 and max(before) <= len(store), before
        assert not [kind for kind, _ in events[result:] if kind == "progress"]


def a_file_that_is_not_a_store_is_refused(browser):
    with lab() as url, window(browser, url) as page:
        page.get_by_label("Your store").set_input_files(
            files=[{"name": "note.txt", "mimeType": "text/plain", "buffer": b"Buy milk"}])
        expect(page.locator("#store-problem")).to_have_text(
            "note.txt is not migrated: it is not a store of the legacy SDK or its successor.")
        page.locator("#fixture").select_option("edges.jsonl")
        button(page, "Show the plan").click()
        expect(page.locator("#store-words")).to_contain_text("edges.jsonl: ")
        expect(page.locator("#store-problem")).to_be_empty()
        # With the option "only on that phone", a step affects only the phone on which it is made. This phone refuses the file, too.
        page.get_by_label("only on that phone").check()
        data = page.evaluate_handle("""() => {
            const data = new DataTransfer();
            data.items.add(new File(["{}"], "other.json"));
            return data;
        }""")
        page.locator("#async").dispatch_event("drop", {"dataTransfer": data})
        expect(page.locator("#store-problem")).to_contain_text("other.json")


def the_users_own_app_has_a_third_lane(browser):
    """The app is a client in Python that shares no code with the SDK."""
    with lab() as url, window(browser, url) as page:
        enrol(page)
        page.locator("#lane-side").select_option("async")
        button(page, "Show a code to scan").click()
        expect(page.locator("#lane-words")).to_contain_text("Scan the code")
        expect(page.locator("#lane-code")).to_be_visible()
        assert page.locator("#lane-code").evaluate("image => image.decode().then(() => image.naturalWidth > 0)")
        code = json.loads(ask(url, "lane/code")[1])["uri"]
        assert code not in page.content() and code not in ask(url, "state")[1]
        device = Device(code, "snake-1")
        assert device.register() == (200, {})
        expect(page.locator("#lane-words")).to_contain_text("The app is enrolled")
        send(page)
        pushes = json.loads(ask(url, "lane/pushes?after=0")[1])
        assert [push["push"] for push in pushes] == ["p1"]
        do(page, button(card(page.locator("#legacy"), "p1"), "Approve"))
        assert device.answer(pushes[0]) == (200, {})
        expect(page.locator("#lane-pushes")).to_contain_text("p1 approved")
        rows = page.locator("#lane-requests > li")
        expect(rows).to_have_count(2)
        expect(rows.nth(1)).to_contain_text("for p1")
        expect(rows.nth(1)).to_contain_text("compared with the legacy phone in step 4: legacy-headers")
        # If the app's request differs, the lab reports the difference.
        send(page)
        do(page, button(card(page.locator("#legacy"), "p2"), "Approve"))
        second = json.loads(ask(url, "lane/pushes?after=1")[1])[0]
        device.answer(second, extra="yes")
        expect(rows).to_have_count(3)
        expect(rows.nth(2)).to_contain_text("unexplained difference")
        file = json.loads(ask(url, "lane/push.apns?push=p2&bundle=com.example.app")[1])
        assert file["Simulator Target Bundle"] == "com.example.app" and file["aps"] == second["payload"]["aps"]
        # After a restart, p1 is the name of a different push.
        button(page, "Start over").click()
        expect(page.locator("#verdict")).to_have_text("No step played yet")
        enrol(page)
        send(page)
        send(page)
        expect(page.locator("#lane-pushes li")).to_have_text([re.compile(name) for name in ("p1", "p2", "p1", "p2")])
        third = json.loads(ask(url, "lane/pushes?after=2")[1])[0]
        link = page.locator("#lane-pushes").get_by_role("link", name="p1 as a file").last
        assert json.loads(ask(url, link.get_attribute("href"))[1])["aps"] == third["payload"]["aps"]
        button(page, "Remove the app").click()
        expect(page.locator("#lane")).to_be_hidden()


def shape(value):
    """The names and the types of the values in a JSON value. The values are left out: they differ from push to push."""
    if isinstance(value, dict):
        return {name: shape(member) for name, member in value.items()}
    return [shape(element) for element in value] if isinstance(value, list) else type(value).__name__


def the_lanes_pushes_can_be_saved_in_the_form_that_simulate_writes(browser):
    with tempfile.TemporaryDirectory() as folder, lab() as url, window(browser, url) as page:
        enrol(page)
        button(page, "Show a code to scan").click()
        expect(page.locator("#lane-words")).to_contain_text("Scan the code")
        assert Device(json.loads(ask(url, "lane/code")[1])["uri"], "snake-1").register() == (200, {})
        expect(page.locator("#lane-words")).to_contain_text("The app is enrolled")
        send(page, "challenge", numbers="21,57,84", message="Transfer to {{user}}?")
        # The file contains the bundle identifier, even if it is entered after the push was sent.
        page.get_by_label("Bundle identifier").fill("com.bank.app")
        with page.expect_download() as download:
            page.locator("#lane-pushes").get_by_role("link", name="p1 as a file").click()
        assert download.value.suggested_filename == "push.apns"
        own = json.load(open(download.value.path()))
        assert own["Simulator Target Bundle"] == "com.bank.app"
        assert own["aps"]["alert"] == "Transfer to your app?"

        arguments = ["--json", "--account", "your app", "--pushes", folder, "--bundle", "com.bank.app"]
        server = subprocess.Popen([PUSHBRIDGE, "simulate", *arguments], stdout=subprocess.PIPE, text=True)
        try:
            start = json.loads(server.stdout.readline())
            device = Device(start["uri"], "snake-1")
            assert device.register() == (200, {})
            order = {"user": "your app", "type": "challenge", "numbers": "21,57,84", "message": "Transfer to {{user}}?"}
            status, body = ask(start["control"], "/pushes", "POST", json.dumps(order).encode())
            assert status in (200, 201), body
            written = json.load(open(os.path.join(folder, next(n for n in os.listdir(folder) if n.endswith(".apns")))))
        finally:
            server.terminate()
            server.wait()
        assert shape(own) == shape(written)
        # Each push has a different id and a different signed token.
        for payload in (own, written):
            assert payload["aps"].pop("messageId") and payload["aps"].pop("data").count(".") == 2
        assert own == written


def an_app_receives_the_lanes_push_through_the_stand_in_for_apns(browser):
    """The app is `pushbridge phone`, which receives its push from the simulated APNs."""
    with tempfile.TemporaryDirectory() as folder, lab() as url, window(browser, url) as page:
        environment = {**os.environ, "TMPDIR": folder, "XDG_CACHE_HOME": folder}
        place = os.path.join(folder, "apns.json")
        with open(place, "w") as file:
            running = [subprocess.Popen([PUSHBRIDGE, "apns", "serve", "--json"], stdout=file, env=environment)]
        try:
            wait_until(lambda: os.path.getsize(place))
            enrol(page)
            page.locator("#lane-side").select_option("legacy")
            button(page, "Show a code to scan").click()
            expect(page.locator("#lane-words")).to_contain_text("Scan the code")
            code = os.path.join(folder, "code")
            with open(code, "w") as file:
                file.write(json.loads(ask(url, "lane/code")[1])["uri"])
            app = subprocess.Popen(
                [PUSHBRIDGE, "phone", "--api", "legacy", "--apns", place, "--enrol", f"@{code}", "--press", "a",
                 "--pushes", "1", "--json"],
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, env=environment)
            running.append(app)
            # This limits the time for which the test waits for a line.
            stop = threading.Timer(30, app.kill)
            stop.start()
            events = (json.loads(line) for line in app.stdout)
            token = next(event["token"] for event in events if event["event"] == "ready")
            expect(page.locator("#lane-words")).to_contain_text("The app is enrolled")
            send(page)
            do(page, button(card(page.locator("#async"), "p1"), "Approve"))
            with page.expect_download() as download:
                page.locator("#lane-pushes").get_by_role("link", name="p1 as a file").click()
            # The member that names the app for simctl is not sent to APNs.
            dry = subprocess.run(
                [PUSHBRIDGE, "apns", "send", token, "--payload", download.value.path(), "--apns", place, "--dry-run", "--json"],
                capture_output=True, text=True, env=environment)
            assert list(json.loads(dry.stdout)["payload"]) == ["aps"], dry
            sent = subprocess.run(
                [PUSHBRIDGE, "apns", "send", token, "--payload", download.value.path(), "--apns", place],
                capture_output=True, text=True, env=environment)
            assert sent.returncode == 0 and sent.stdout.startswith("200, accepted by APNs"), sent
            assert app.wait(timeout=20) == 0
            stop.cancel()
            expect(page.locator("#lane-pushes")).to_contain_text("p1 approved")
            # The app uses the legacy API. So it differs from the new phone in the same way as the legacy phone does.
            answer = page.locator("#lane-requests > li").last
            expect(answer).to_contain_text("for p1")
            expect(answer).to_contain_text("compared with the new phone in step 4: legacy-headers")
        finally:
            for process in reversed(running):
                process.terminate()
                process.wait()


def wait_until(holds):
    deadline = time.monotonic() + 20
    while not holds():
        assert time.monotonic() < deadline, "the page takes too long"
        time.sleep(0.05)


def requests_from_other_pages_and_addresses_are_refused(browser):
    with lab() as url:
        origin, host = url.rsplit("/", 2)[0], url.split("/")[2]
        port = host.split(":")[1]
        post(url, "steps", TOKEN)
        refused = [
            {"Host": "evil.example"}, {"Host": f"evil.example:{port}"}, {"Host": "127.0.0.1"},
            {"Host": f"127.0.0.1:{int(port) % 65535 + 1}"}, {"Origin": "https://evil.example"}, {"Origin": "null"},
            {"Origin": f"http://localhost:{int(port) % 65535 + 1}"}, {"Sec-Fetch-Site": "cross-site"},
            {"Sec-Fetch-Site": "same-site"},
        ]
        for headers in refused:
            for path, method in [("", "GET"), ("state", "GET"), ("events", "GET"), ("steps", "POST"), ("lab.js", "GET")]:
                status, body = ask(url, path, method, b"{}" if method == "POST" else None, headers)
                assert status == 403 and body == "The request does not name this lab's host, or comes from another site's page.\n", (headers, path, status)
        # The lab answers each request without the random name with 404.
        for path in ("/", "/state", "/index.html", "/00000000-0000-0000-0000-000000000000/state"):
            assert ask(origin, path)[0] == 404
        assert state(url)["count"] == 1

        # This page has another origin and is in the same browser.
        context = browser.new_context()
        page = context.new_page()
        page.route("http://evil.example/", lambda route: route.fulfill(body="<p>evil</p>", content_type="text/html"))
        page.goto("http://evil.example/")
        seen = page.evaluate(
            """async (url) => {
                const outcomes = [];
                for (const options of [{}, {method: "POST", body: "{}"}, {mode: "no-cors"}]) {
                    try { const r = await fetch(url + "state", options); outcomes.push(r.type + r.status); }
                    catch (error) { outcomes.push("blocked"); }
                }
                return outcomes;
            }""", url)
        context.close()
        assert seen[0] == seen[1] == "blocked", seen
        assert seen[2] in ("blocked", "opaque0"), seen
        assert state(url)["count"] == 1


def the_lab_uses_another_address_only_with_the_option_listen(browser):
    # On Linux, all addresses in 127.0.0.0/8 belong to this machine.
    with lab("--listen", "127.0.0.2") as url, window(browser, url) as page:
        assert url.startswith("http://127.0.0.2:")
        port = url.split(":")[2].split("/")[0]
        assert ask(url, "state", headers={"Host": f"127.0.0.1:{port}"})[0] == 403
        assert ask(url, "state", headers={"Host": f"localhost:{port}"})[0] == 403
        enrol(page)
        page.locator("#lane-side").select_option("legacy")
        button(page, "Show a code to scan").click()
        expect(page.locator("#lane-words")).to_contain_text("http://127.0.0.2:")
        device = Device(json.loads(ask(url, "lane/code")[1])["uri"], "snake-1")
        assert device.register() == (200, {})
        expect(page.locator("#lane-words")).to_contain_text("The app is enrolled")
    for address in ("0.0.0.0", "everywhere", "1.2.3", "::"):
        run = subprocess.run([PUSHBRIDGE, "lab", "--no-open", "--listen", address], capture_output=True, text=True)
        assert run.returncode == 64 and "--listen takes one address" in run.stderr, run.stderr


def responses_contain_the_security_policies(browser):
    with lab() as url, window(browser, url) as page:
        response = page.reload()
        headers = response.all_headers()
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy and "unsafe" not in policy and "frame-ancestors 'none'" in policy
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["cache-control"] == "no-store"
        assert page.locator("script:not([src]), style, [style], [onclick]").count() == 0


def no_secret_leaves_the_lab(browser):
    with lab() as url, window(browser, url) as page:
        enrol(page, oath="totp")
        send(page)
        do(page, button(card(page.locator("#legacy"), "p1"), "Approve"))
        texts = [ask(url, "state")[1], ask(url, "scenario.json")[1], page.content()]
        texts += [ask(url, f"steps/{number}")[1] for number in range(1, state(url)["count"] + 1)]
        for text in texts:
            # The text contains no member for a secret, no code with a secret, and no signed token.
            assert not re.search(r"sharedSecret|auth://|[?&]s(ecret)?=|eyJ", text), text
        # If a code were stored as text, its secret would be in the scenario.
        code = "otpauth://totp/Bank:ada?secret=JBSWY3DPEHPK3PXP&issuer=Bank"
        step = {"do": "enrol", "credential": "pasted", "text": code}
        status, answer = ask(url, "steps", "POST", json.dumps(step).encode())
        assert status == 400 and "secret" in answer and "JBSWY" not in answer
        # The secret of a scenario is only in the scenario's file.
        steps = [TOKEN, {"do": "enrol", "credential": "pasted", "text": code},
                 {"do": "enrol", "credential": "own", "parameters": {"s": "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXPJBSWY3DPEHPK"}}]
        post(url, "scenario", {"name": "n", "steps": steps})
        wait_for_steps(page, 3)
        for text in [ask(url, "state")[1], page.content()] + [ask(url, f"steps/{number}")[1] for number in (1, 2, 3)]:
            assert "JBSWY" not in text, text


def invalid_input_is_answered_with_a_sentence(browser):
    with lab() as url:
        cases = [
            ("steps", b"nonsense", 'A step is a JSON object whose member "do" contains the name of the step.'),
            ("steps", b'{"do":"dance"}', 'There is no step "dance"'),
            ("steps", b'{"do":"answer","push":"p9","with":"approve"}', "no earlier step creates the push p9"),
            ("steps", b'{"do":"token","hex":"xyz"}', "The token xyz is set at launch, so it must be hexadecimal"),
            ("steps", b'{"do":"restart","on":"both"}', "at steps[0].on"),
            ("settings", b'{"version":"9.9"}', "version"),
            ("settings", b'{"colour":"red"}', "colour"),
            ("steps", b'{"do":"advance","seconds":1e300}', "the clock would leave the years 1970 to 5000"),
            ("steps", b'{"do":"fault","kind":"delay","times":0}', "times must be at least 1"),
            ("undo", b"", "There is no step to undo."),
            ("redo", b"", "There is no step to redo."),
            ("scenario", b"[]", "The list contains no scenario."),
            ("name", b'{"name":""}', "A scenario's name must have 1 to 200 characters."),
        ]
        for path, body, reason in cases:
            status, answer = ask(url, path, "POST", body)
            assert status == 400 and reason in json.loads(answer)["error"], (path, status, answer)
        # The lab does not read a body that is too large.
        try:
            assert ask(url, "scenario", "POST", b"x" * (5 << 20))[0] == 413
        except urllib.error.URLError as error:
            assert isinstance(error.reason, ConnectionError), error
        assert state(url)["count"] == 0


def the_page_is_accessible(browser):
    with lab() as url, window(browser, url) as page:
        enrol(page, oath="totp")
        send(page, "challenge")
        do(page, button(card(page.locator("#legacy"), "p1"), "34"))
        button(page, "Show a code to scan").click()
        expect(page.locator("#lane-code")).to_be_visible()
        button(page, "Show the plan").click()
        expect(button(page, "Migrate the store")).to_be_visible()
        page.locator("#steps details.all summary").last.click()
        expect(page.locator("#steps details.all pre").first).to_be_visible()
        check_access(page)


def check_access(page):
    """Checks that the page follows the rules of axe-core in all forms: light and dark, wide and narrow."""
    for scheme in ("light", "dark"):
        for width in (1280, 320):
            page.emulate_media(color_scheme=scheme)
            page.set_viewport_size({"width": width, "height": 800})
            assert page.evaluate("document.documentElement.scrollWidth") <= width, f"{width} scrolls sideways"
            violations = Axe().run(page).response["violations"]
            assert violations == [], json.dumps(
                [(rule["id"], [node["html"] for node in rule["nodes"]]) for rule in violations], indent=1)


def an_error_is_shown_beside_the_button_that_caused_it(browser):
    with lab() as url, window(browser, url) as page:
        enrol(page)
        page.locator("#push details").evaluate("details => { details.open = true; }")
        page.locator("#push [name=customPayload]").fill("x" * 4000)
        button(page, "Send push").click()
        expect(page.locator("#push .problem")).to_have_text("The custom payload has 4000 bytes; servers send 3072 at most.")
        page.locator("#push [name=customPayload]").fill("")
        # The page does not send an invalid number.
        page.locator("#push [name=ttl]").fill("soon")
        button(page, "Send push").click()
        assert page.locator("#push [name=ttl]").evaluate("field => !field.validity.valid")
        page.locator("#push [name=ttl]").fill("")
        send(page)
        expect(page.locator("#push .problem")).to_be_empty()
        assert page.locator("#problem").inner_text() == ""
        # The command does not support this version, which only a page of another release would contain.
        version = page.locator("#settings [name=version]")
        version.evaluate("field => field.append(new Option('9.9', '9.9'))")
        version.select_option("9.9")
        expect(page.locator("#settings .problem")).to_contain_text("9.9")
        expect(version).to_have_value("8.0.2")


def simultaneous_clicks_make_pushes_with_different_names(browser):
    with lab() as url:
        post(url, "steps", TOKEN)
        post(url, "steps", ENROL)
        clicks = [threading.Thread(target=post, args=(url, "steps", {"do": "receive", "credential": "user1"}))
                  for _ in range(8)]
        for click in clicks:
            click.start()
        for click in clicks:
            click.join()
        pushes = state(url)["phones"]["legacy"]["pushes"]
        assert [push["push"] for push in pushes] == [f"p{number}" for number in range(8, 0, -1)]


def a_click_does_not_wait_for_a_slow_replay(browser):
    with lab() as url:
        post(url, "steps", TOKEN)
        post(url, "steps", ENROL)
        for _ in range(10):
            post(url, "steps", {"do": "receive", "credential": "user1"})
        replay = threading.Thread(target=post, args=(url, "replay", {"slowly": True}))
        replay.start()
        wait_until(lambda: state(url)["count"] == 1)
        start = time.monotonic()
        post(url, "steps", {"do": "receive", "credential": "user1"})
        # A slow replay of the ten remaining steps takes nine seconds, so the click did not wait for the replay.
        assert time.monotonic() - start < 5
        replay.join()
        assert state(url)["count"] == 13


def errors_name_the_store_of_a_scenario_without_its_folder(browser):
    with tempfile.TemporaryDirectory() as folder:
        with open(f"{folder}/s.json", "w") as file:
            json.dump({"name": "n", "steps": [{"do": "migrate", "credential": "a", "file": "note.txt"}]}, file)
        with open(f"{folder}/note.txt", "w") as file:
            file.write("Buy milk")
        run = subprocess.run([PUSHBRIDGE, "lab", "--no-open", "--scenario", f"{folder}/s.json"], capture_output=True, text=True)
        assert run.returncode == 66 and run.stderr == (
            "pushbridge: note.txt is not migrated: it is not a store of the legacy SDK or its successor.\n"), run
        with lab() as url:
            status, body = ask(url, "scenario", "POST", open(f"{folder}/s.json", "rb").read())
            assert status == 400 and json.loads(body)["error"] == (
                "note.txt is not migrated: it cannot be read: no such file or directory."), body


def the_page_can_be_used_with_the_keyboard(browser):
    with lab() as url, window(browser, url) as page:
        page.locator("#enrol [name=issuer]").focus()
        page.keyboard.type("Bank")
        page.keyboard.press("Enter")
        expect(page.locator("#legacy article")).to_have_count(1)
        page.locator("#push [name=type]").focus()
        page.keyboard.press("Tab")
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.id") == "send"
        page.keyboard.press("Enter")
        expect(card(page.locator("#legacy"), "p1")).to_have_count(1)
        approve = button(card(page.locator("#legacy"), "p1"), "Approve")
        approve.focus()
        page.keyboard.press("Space")
        expect(card(page.locator("#async"), "p1").locator(".state")).to_have_text("approved")
        # The button that was pressed keeps the focus and its place.
        assert approve.evaluate("button => button === document.activeElement")
        # The enter key in a field triggers the button beside it.
        send(page, "challenge")
        card(page.locator("#legacy"), "p2").get_by_label("Number").press_sequentially("34")
        page.keyboard.press("Enter")
        expect(card(page.locator("#async"), "p2").locator(".state")).to_have_text("approved")


def a_button_does_not_move_when_it_is_clicked(browser):
    with lab() as url, window(browser, url) as page:
        enrol(page)
        send(page)
        approve = button(card(page.locator("#legacy"), "p1"), "Approve")
        before = approve.bounding_box()
        do(page, approve)
        assert approve.bounding_box() == before


def the_newest_step_stays_in_view(browser):
    """After seven pushes, the newest step is in the window at each scroll position."""
    with lab() as url, window(browser, url) as page:
        enrol(page)
        for _ in range(7):
            send(page)
        count = step_count(page)
        for width, height in ((1280, 800), (390, 844), (320, 640)):
            page.set_viewport_size({"width": width, "height": height})
            newest = page.locator("#steps > li").first
            expect(newest).to_contain_text(f"{count} ")
            for place in (0, 0.5, 1):
                page.evaluate("place => scrollTo(0, place * document.documentElement.scrollHeight)", place)
                box = newest.bounding_box()
                assert 0 <= box["y"] < height - 20, (width, place, box)


def a_built_in_scenario_is_found_and_played(browser):
    with lab() as url, window(browser, url) as page:
        all_of_them = page.locator("#found-list option").count()
        page.get_by_label("Find a built-in scenario").fill("number shown")
        found = page.locator("#found-list option")
        assert 0 < found.count() < all_of_them
        # The kind of a fault is a value in a step.
        page.get_by_label("Find a built-in scenario").fill("dropConnection")
        assert 0 < found.count() < all_of_them
        page.get_by_label("Find a built-in scenario").fill("number shown")
        name = found.first.inner_text()
        button(page, "Play the scenario").click()
        expect(page.locator("#name")).to_have_value(name)
        assert state(url)["name"] == name


def five_hundred_pushes_do_not_increase_the_pages_memory(browser):
    with lab() as url, window(browser, url) as page:
        # By default, the async API keeps only a hundred pushes, so the phones would differ in each later step.
        post(url, "settings", {"keptNotifications": 1000})
        post(url, "steps", TOKEN)
        post(url, "steps", ENROL)
        session = page.context.new_cdp_session(page)

        def memory():
            session.send("HeapProfiler.collectGarbage")
            return session.send("Runtime.getHeapUsage")["usedSize"], page.locator("*").count()

        def push(count):
            for _ in range(count):
                post(url, "steps", {"do": "receive", "credential": "user1"})
            wait_for_steps(page, state(url)["count"])

        push(60)
        before, elements = memory()
        push(500)
        after, more = memory()
        assert state(url)["verdict"]["id"] == "same"
        assert after <= before * 1.2, (before, after)
        assert more <= elements * 1.2, (elements, more)


def main(parts):
    facts = [value for name, value in globals().items() if callable(value) and not name.startswith("_")
             and getattr(value, "__module__", "") == __name__ and value.__code__.co_varnames[:1] == ("browser",)]
    chosen = [fact for fact in facts if not parts or any(part in fact.__name__ for part in parts)]
    failures = 0
    start = time.monotonic()
    with sync_playwright() as playwright:
        browser = start_browser(playwright)
        for fact in chosen:
            began = time.monotonic()
            try:
                fact(browser)
                print(f"passed  {time.monotonic() - began:5.1f} s  {fact.__name__}", flush=True)
            except Exception:
                failures += 1
                print(f"failed  {fact.__name__}: {traceback.format_exc()}", flush=True)
        browser.close()
    print(f"lab-test: {len(chosen) - failures} of {len(chosen)} facts hold, {time.monotonic() - start:.0f} s")
    return 1 if failures or not chosen else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
