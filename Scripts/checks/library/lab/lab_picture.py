"""Makes the pictures of the lab and of a report, and checks that the structure of both pages has not changed.
`Scripts/checks/lab picture` runs this script."""

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile

from playwright.sync_api import sync_playwright

from lab import PUSHBRIDGE, ROOT, lab, post, start_browser, window

STEPS = [
    {"do": "token", "hex": "0a1b2c3d4e5f6071"},
    {"do": "enrol", "credential": "user1", "issuer": "Bank", "account": "ada", "oath": "totp"},
    {"do": "receive", "push": "p1", "credential": "user1", "type": "challenge", "numbers": "34,43,57",
     "message": "Transfer of 250 € to Bo?"},
    {"do": "answer", "push": "p1", "with": "challenge", "number": "12"},
]

# Returns the page's elements with the attributes that determine their place and meaning, but without their texts.
OUTLINE = """() => {
    const lines = [];
    const walk = (element, depth) => {
        const names = ["id", "class", "role", "type", "name", "for", "aria-label", "aria-labelledby"]
            .filter((name) => element.getAttribute(name)).map((name) => ` ${name}=${element.getAttribute(name)}`);
        lines.push("  ".repeat(depth) + element.localName + names.join(""));
        for (const child of element.children) walk(child, depth + 1);
    };
    walk(document.body, 0);
    return lines.join("\\n") + "\\n";
}"""


def finish(page, name):
    """Takes the picture of a page and writes the structure of the page. With --check, only compares the structure."""
    picture, structure = (os.path.join(ROOT, f"Examples/{name}.{kind}") for kind in ("png", "structure"))
    outline = page.evaluate(OUTLINE)
    if "--check" not in sys.argv:
        page.evaluate("document.activeElement.blur(); window.scrollTo(0, 0)")
        page.screenshot(path=picture, full_page=True)
    with open(picture, "rb") as file:
        found = f"picture {hashlib.sha256(file.read()).hexdigest()}\n{outline}"
    if "--check" not in sys.argv:
        with open(structure, "w") as file:
            file.write(found)
        print(f"lab-picture: {picture}")
        return
    with open(structure) as file:
        if file.read() != found:
            sys.exit(f"lab-picture: the page differs from Examples/{name}.structure; run Scripts/checks/lab picture")
    print(f"lab-picture: the page has the structure in Examples/{name}.structure")


def picture_lab(browser):
    with lab("--am-version", "8.0.2") as url:
        for step in STEPS:
            post(url, "steps", step)
        with window(browser, url) as page:
            page.locator(".finding summary").click()
            page.locator(".finding code").first.wait_for()
            page.locator("#fixture option").first.wait_for(state="attached")
            page.locator("#steps").evaluate("list => { list.style.maxHeight = 'none'; }")
            finish(page, "lab")


def picture_report(browser):
    """The report of the command that README shows. The last part is left out, because it contains the date."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(os.path.join(ROOT, "LegacyFixtures/everyday.sqlite"), os.path.join(folder, "legacy.sqlite"))
        subprocess.run([PUSHBRIDGE, "migrate", "legacy.sqlite", "--to", "new.db", "--report", "report.html"], cwd=folder,
                       check=True, stdout=subprocess.DEVNULL)
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.goto(f"file://{folder}/report.html")
        page.locator(".made").evaluate("section => { section.style.display = 'none'; }")
        finish(page, "report")
        page.close()


with sync_playwright() as playwright:
    browser = start_browser(playwright)
    picture_lab(browser)
    picture_report(browser)
    browser.close()
