"""Makes the picture of the lab, and checks that the page still has the same structure. Run by `Scripts/checks/lab picture`."""

import hashlib
import os
import sys

from playwright.sync_api import sync_playwright

from lab import ROOT, lab, post, start_browser, window

PICTURE = os.path.join(ROOT, "Examples/lab.png")
STRUCTURE = os.path.join(ROOT, "Examples/lab.structure")

STEPS = [
    {"do": "token", "hex": "0a1b2c3d4e5f6071"},
    {"do": "enrol", "credential": "user1", "issuer": "Bank", "account": "ada", "oath": "totp"},
    {"do": "receive", "push": "p1", "credential": "user1", "type": "challenge", "numbers": "34,43,57",
     "message": "Transfer of 250 € to Bo?"},
    {"do": "answer", "push": "p1", "with": "challenge", "number": "12"},
]

# The elements with the attributes that determine their place and meaning, without their texts.
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


def digest():
    with open(PICTURE, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


with lab("--am-version", "8.0.2") as url, sync_playwright() as playwright:
    browser = start_browser(playwright)
    for step in STEPS:
        post(url, "steps", step)
    with window(browser, url) as page:
        page.locator(".finding summary").click()
        page.locator(".finding code").first.wait_for()
        page.locator("#fixture option").first.wait_for(state="attached")
        page.locator("#steps").evaluate("list => { list.style.maxHeight = 'none'; }")
        outline = page.evaluate(OUTLINE)
        if "--check" not in sys.argv:
            page.evaluate("document.activeElement.blur(); window.scrollTo(0, 0)")
            page.screenshot(path=PICTURE, full_page=True)
    browser.close()

if "--check" in sys.argv:
    with open(STRUCTURE) as file:
        known = file.read()
    if known != f"picture {digest()}\n{outline}":
        sys.exit("lab-picture: the page is no longer built as Examples/lab.png shows; run Scripts/checks/lab picture")
    print("lab-picture: the picture shows the page as it is")
else:
    with open(STRUCTURE, "w") as file:
        file.write(f"picture {digest()}\n{outline}")
    print(f"lab-picture: {PICTURE}")
