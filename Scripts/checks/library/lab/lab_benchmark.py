"""Measures the lab. The script has no limits, so a slow lab is no failure. `Scripts/checks/lab benchmark` runs it."""

import json
import os
import platform
import statistics
import subprocess
import time

from playwright.sync_api import sync_playwright

from lab import PUSHBRIDGE, post, start_browser, window


def first_paint(browser):
    """The seconds from the start of the command until a running browser first paints the page."""
    context = browser.new_context()
    page = context.new_page()
    start = time.time()
    command = subprocess.Popen([PUSHBRIDGE, "lab", "--json"], stdout=subprocess.PIPE, text=True)
    url = json.loads(command.stdout.readline())["url"]
    page.goto(url)
    painted = page.evaluate("""() => new Promise((done) => new PerformanceObserver((list, observer) => {
        observer.disconnect();
        done(performance.timeOrigin + list.getEntries()[0].startTime);
    }).observe({ type: "paint", buffered: true }))""")
    context.close()
    command.terminate()
    command.wait()
    return painted / 1000 - start


CLICK = """() => new Promise((done) => {
    const cards = [document.querySelector("#legacy"), document.querySelector("#async")]
        .map((phone) => [...phone.querySelectorAll("article")].filter((card) => card.querySelector(".state")).at(-1));
    const start = performance.now();
    const isAnswered = () => cards.every((card) => card.querySelector(".state").textContent === "approved");
    const observer = new MutationObserver(() => {
        if (!isAnswered()) return;
        observer.disconnect();
        done(performance.now() - start);
    });
    for (const card of cards) observer.observe(card, { subtree: true, childList: true, characterData: true });
    [...cards[0].querySelectorAll("button")].find((button) => button.textContent === "Approve").click();
})"""


def answers(browser, count=100):
    """The milliseconds from a click on Approve until the page shows the answers of both phones."""
    command = subprocess.Popen([PUSHBRIDGE, "lab", "--json"], stdout=subprocess.PIPE, text=True)
    url = json.loads(command.stdout.readline())["url"]
    times = []
    post(url, "steps", {"do": "token", "hex": "0a"})
    post(url, "steps", {"do": "enrol", "credential": "user1"})
    with window(browser, url) as page:
        for number in range(1, count + 1):
            post(url, "steps", {"do": "receive", "credential": "user1"})
            page.locator("#async article", has=page.locator("p", has_text=f"p{number},")).wait_for()
            times.append(page.evaluate(CLICK))
    command.terminate()
    command.wait()
    return times


with sync_playwright() as playwright:
    browser = start_browser(playwright)
    first_paint(browser)
    paints = [first_paint(browser) for _ in range(5)]
    times = answers(browser)
    browser.close()
print(f"{os.cpu_count()} processors, {platform.machine()}, load {os.getloadavg()[0]:.1f}")
print(f"from the command to first paint: median {statistics.median(paints):.2f} s of {len(paints)}")
print(f"from a click to both answers: median {statistics.median(times):.0f} ms of {len(times)}, "
      f"longest {max(times):.0f} ms")
