#!/usr/bin/env python3
"""Writes golden.json: the codes and pushes of each version of PingAM, according to the tables of PingAM's source.

The script shares no code with the simulator. The server's random values are written as {name}, which the test replaces.
With --check, the script writes nothing; the exit status is 0 if the file is up to date.
"""

import base64
import json
import pathlib
import sys

# The only list of versions in Python. GoldenTests compares it with the simulator's list.
VERSIONS = ["6.5", "7.1", "7.2", "7.3", "7.5", "8.0.0", "8.0.2", "8.1.0"]
BASE = "https://am.example.com/am"
ISSUER, ACCOUNT, USER = "Fo rge: 1", "de mo@x", "user-1"
COLOUR, IMAGE, POLICIES = "032b75", "https://x.example.com/y.png?a=b", '{"biometricAvailable":{}}'
MILLISECONDS, MESSAGE = "1700000000125", "Is it you, {{user}}? Log in to {{issuer}}"
DEFAULT_MESSAGE = "Login attempt from {{user}} at {{issuer}}"
PAYLOAD, CONTEXT = '{ "order": 7 }', '{ "remoteIp": "::1" }'


def since(version, first):
    return VERSIONS.index(version) >= VERSIONS.index(first)


def url64(text):
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def fragment(text):
    """Escapes the characters that a URL fragment may not contain. Colons, slashes and at signs are not escaped."""
    plain = "-._~!$'()*,;&=@:+/?"
    return "".join(c if c.isascii() and c.isalnum() or c in plain else "%%%02X" % ord(c) for c in text)


def address(action):
    return url64(f"{BASE}/json/alpha/push/sns/message?_action={action}")


def code(version, sender, kind):
    """Returns a code. Nodes and modules write its parameters in different orders. A combined code merges two codes."""
    module = sender == "module" or not since(version, "7.1")
    rows = [("l", url64("amlbcookie=01")), ("issuer", url64(ISSUER)), ("m", "{messageId}"), ("s", "{secret}")]
    challenge = [("c", "{challenge}")]
    addresses = [("r", address("register")), ("a", address("authenticate"))]
    if module:
        rows += [("b", COLOUR)] + challenge + addresses
    else:
        rows += challenge + addresses
        if since(version, "8.0.2"):
            rows += [("uid", url64(USER)), ("pid", "{resourceId}")]
        rows += [("b", COLOUR)]
    if kind == "unconfigured":
        # These are the defaults: nodes and modules have different colours, and only nodes write an empty image.
        rows = [(name, "519387" if module else "032b75") if name == "b" else (name, value) for name, value in rows]
        rows += [] if module else [("image", "")]
    else:
        rows += [("image", url64(IMAGE) if kind == "push" else IMAGE)]
    if kind in ("totp", "hotp"):
        rows += [("secret", "{oathSecret}")]
        rows += [("period", "30")] if kind == "totp" else [("counter", "7")]
        rows += [("digits", "6")]
        if kind == "totp":
            rows += [("algorithm", "SHA256")]
        if since(version, "8.0.2"):
            rows += [("oid", "{oathResourceId}")]
        rows += [("policies", url64(POLICIES))]
    if module:
        label = f"forgerock:{ACCOUNT}"
    else:
        label = f"{fragment(ISSUER) if since(version, '7.3') else 'forgerock'}:{fragment(ACCOUNT)}"
    scheme = f"mfauth://{kind}" if kind in ("totp", "hotp") else "pushauth://push"
    return f"{scheme}/{label}?" + "&".join(f"{name}={value}" for name, value in rows)


def push(version, sender, kind):
    """Returns the payload and the claims of a push. The values of all claims are texts."""
    node = sender == "node" and since(version, "7.2")
    # The text contains the name that the user entered at the login, not the name of the identity.
    template = DEFAULT_MESSAGE if kind == "unconfigured" else MESSAGE
    message = template.replace("{{user}}", ACCOUNT).replace("{{issuer}}", ISSUER)
    aps = [("alert", message), ("sound", "default")]
    if since(version, "7.2"):
        typed = node and since(version, "7.3") and kind in ("challenge", "biometric")
        aps += [("category", f"authentication_{kind}" if typed else "authentication")]
        aps += [("interruption-level", "time-sensitive")]
    aps += [("messageId", "{messageId}"), ("data", "{jwt}")]
    aps += [("content-available", 1 if since(version, "7.3") else "1")]
    if since(version, "7.3"):
        aps += [("mutable-content", 1)]

    balancer = base64.b64encode(b"amlbcookie=01").decode()
    claims = [("u", "mechanism-1"), ("l", balancer), ("c", "{challenge}")]
    if node:
        claims += [("m", message), ("k", "default" if kind == "unconfigured" else kind)]
        claims += [("i", MILLISECONDS), ("t", "120")]
        if since(version, "8.0.2"):
            claims += [("d", USER)]
        claims += [("p", "{  }")] if kind == "unconfigured" else [("p", PAYLOAD), ("x", CONTEXT)]
        if kind == "challenge":
            claims += [("n", "12,34,80")]
    else:
        if since(version, "7.2"):
            claims += [("i", MILLISECONDS)]
        claims += [("t", "120")]
    return {
        "payload": spaced({"aps": dict(aps)}),
        "claims": json.dumps(dict(claims), separators=(",", ":"), ensure_ascii=False),
    }


def spaced(value):
    """Returns JSON as the server's own class writes it: with spaces inside braces, after colons and after commas."""
    if not isinstance(value, dict):
        return json.dumps(value, ensure_ascii=False)
    return "{ " + ", ".join(f"{json.dumps(name)}: {spaced(member)}" for name, member in value.items()) + " }"


def golden():
    entries = []
    for version in VERSIONS:
        for sender in ["node", "module"]:
            combined = sender == "node" and since(version, "7.3")
            for kind in ["push"] + (["totp", "hotp"] if combined else []):
                entries.append(
                    {"version": version, "sender": sender, "kind": kind, "code": code(version, sender, kind)}
                )
            for kind in ["default", "challenge", "biometric"]:
                entry = {"version": version, "sender": sender, "kind": kind}
                entries.append({**entry, **push(version, sender, kind)})
            # This is the output of a server that has no options except the user.
            entry = {"version": version, "sender": sender, "kind": "unconfigured"}
            both = {"code": code(version, sender, "unconfigured"), **push(version, sender, "unconfigured")}
            entries.append({**entry, **both})
    return json.dumps(entries, indent=1, ensure_ascii=False) + "\n"


def main():
    file = pathlib.Path(__file__).with_name("golden.json")
    if sys.argv[1:] == ["--check"]:
        sys.exit(0 if file.read_text() == golden() else f"{file.name} is outdated; run this script without --check")
    file.write_text(golden())


if __name__ == "__main__":
    main()
