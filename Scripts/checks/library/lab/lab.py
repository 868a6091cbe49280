"""Starts the lab and opens its page as a person does."""

import contextlib
import json
import os
import subprocess
import tempfile
import urllib.error
import urllib.request

from playwright.sync_api import expect

PUSHBRIDGE = os.environ["PUSHBRIDGE"]
CHROMIUM = os.environ["PUSHBRIDGE_CHROMIUM"]
# The default of 5 seconds is too short for a machine that is also compiling.
expect.set_options(timeout=30_000)
ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../.."))


@contextlib.contextmanager
def lab(*arguments):
    """Runs the command until the block ends. Yields the address of the page."""
    with tempfile.TemporaryDirectory() as folder:
        command = subprocess.Popen([PUSHBRIDGE, "lab", "--json", *arguments], stdout=subprocess.PIPE, text=True,
                                   env={**os.environ, "TMPDIR": folder})
        try:
            yield json.loads(command.stdout.readline())["url"]
        finally:
            command.terminate()
            status = command.wait(timeout=20)
        assert status == 0, f"pushbridge lab ended with {status}"
        # The lab leaves no file on the disk. In particular, it leaves no store that was dropped on its page.
        assert os.listdir(folder) == [], os.listdir(folder)


def start_browser(playwright):
    # Chromium runs without its sandbox, which needs rights that root does not have in a container.
    return playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])


@contextlib.contextmanager
def window(browser, url, **options):
    """Opens the page. Every message on its console counts as an error."""
    context = browser.new_context(viewport={"width": 1280, "height": 900}, **options)
    context.set_default_timeout(10_000)
    page = context.new_page()
    complaints = []
    page.on("console", lambda message: complaints.append(f"{message.type}: {message.text}"))
    page.on("pageerror", lambda error: complaints.append(f"error: {error}"))
    page.goto(url)
    page.locator("#announcement:not(:empty)").wait_for()
    try:
        yield page
    finally:
        context.close()
    # The browser also reports each response that rejects a request. Such a report is not an error of the page.
    complaints = [line for line in complaints if "the server responded with a status of 400" not in line]
    assert complaints == [], complaints


def ask(url, path="", method="GET", body=None, headers={}):
    """Sends a request without a browser. Returns the status and the body."""
    request = urllib.request.Request(url + path, data=body, headers=headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=20) as response:
            return response.status, response.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def post(url, path, value):
    status, body = ask(url, path, "POST", json.dumps(value).encode())
    assert status == 200, body


def state(url):
    return json.loads(ask(url, "state")[1])


def parity(scenario_text, folder=None):
    """The verdict of `pushbridge parity` on a saved scenario, and the ids of the divergences."""
    with tempfile.NamedTemporaryFile("w", suffix=".json", dir=folder) as file:
        file.write(scenario_text)
        file.flush()
        run = subprocess.run([PUSHBRIDGE, "parity", "--json", "--scenario", file.name], capture_output=True, text=True)
    assert run.stdout, run.stderr
    result = json.loads(run.stdout)["scenarios"][0]
    return result["verdict"], [row["id"] for row in result["divergences"]]
