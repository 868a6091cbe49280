"""A client of PingAM's push service, which tests `pushbridge simulate`. It shares no code with PushBridge's clients.

    client.py --at START VERSION SENDER

The client enrols, answers and updates device tokens according to the wire protocol. It checks that invalid requests are
refused. As a script, it uses a running server, which may be on another machine. START is a file with the line of JSON
that `simulate --listen ADDRESS --json` printed. The client trusts only the certificate in this line. It first tests the
server as a client without the access token. It needs Python 3.8 and the list of versions in make_golden.py.
"""

import base64
import hashlib
import hmac
import json
import pathlib
import ssl
import subprocess
import sys
import urllib.error
import urllib.parse
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "Tests" / "ServerFixtures"))
from make_golden import VERSIONS  # noqa: E402


def decode64(text):
    text = text.replace("-", "+").replace("_", "/")
    return base64.b64decode(text + "=" * (-len(text) % 4))


def encode64url(data):
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def mac(key, data):
    return hmac.new(key, data, hashlib.sha256).digest()


def sign(key, claims):
    parts = [{"typ": "JWT", "alg": "HS256"}, claims]
    text = ".".join(encode64url(json.dumps(part).encode()) for part in parts)
    return f"{text}.{encode64url(mac(key, text.encode()))}"


def claims_of(token, key):
    text, signature = token.rsplit(".", 1)
    assert hmac.compare_digest(decode64(signature), mac(key, text.encode())), "the server's signature is wrong"
    return json.loads(decode64(text.split(".")[1]))


# The certificates that the client trusts. After a server has named its certificate, the client trusts only this
# certificate.
trusted = None


def send(method, url, body=None, headers=None):
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data=data, method=method)
    request.add_header("Content-Type", "application/json")
    for name, value in (headers or {"Accept-API-Version": "resource=1.0, protocol=1.0"}).items():
        request.add_header(name, value)
    try:
        with urllib.request.urlopen(request, timeout=60, context=trusted) as response:
            return response.status, json.loads(response.read() or b"{}")
    except urllib.error.HTTPError as error:
        return error.code, json.loads(error.read() or b"{}")


class Device:
    """One enrolment."""

    def __init__(self, code, name):
        query = code.split("?", 1)[1]
        self.parameters = dict(pair.split("=", 1) for pair in query.split("&"))
        self.key = decode64(self.parameters["s"])
        self.register_url = decode64(self.parameters["r"]).decode()
        self.authenticate_url = decode64(self.parameters["a"]).decode()
        self.user = decode64(self.parameters["uid"]).decode() if "uid" in self.parameters else None
        self.name = name

    def claims(self, **others):
        about = {"mechanismUid": self.name, "deviceId": "aabb", "deviceType": "ios", "communicationType": "apns"}
        return {**about, **others}

    def response(self, challenge):
        return base64.b64encode(mac(self.key, decode64(challenge))).decode()

    def post(self, url, body):
        return send("POST", url, body, {"Cookie": decode64(self.parameters["l"]).decode()})

    def register(self, key=None, **changes):
        claims = self.claims(response=self.response(self.parameters["c"]), deviceName="Snake")
        claims.update(changes)
        claims = {name: value for name, value in claims.items() if value is not None}
        body = {"messageId": self.parameters["m"], "jwt": sign(key or self.key, claims)}
        return self.post(self.register_url, body)

    def answer(self, push, key=None, **claims):
        aps = push["payload"]["aps"]
        token = claims_of(aps["data"], self.key)
        claims = {"response": self.response(token["c"]), **claims}
        body = {"messageId": aps["messageId"], "jwt": sign(key or self.key, claims)}
        return self.post(self.authenticate_url, body)

    def refresh(self, token, key=None, **changes):
        claims = self.claims(deviceId=token, deviceName="Snake")
        for name in ("communicationType", "deviceType"):
            if name in changes:
                claims[name] = changes.pop(name)
        claims = {name: value for name, value in claims.items() if value is not None}
        body = {"mechanismUid": self.name, "username": self.user or "demo", "jwt": sign(key or self.key, claims)}
        body.update(changes)
        body = {name: value for name, value in body.items() if value is not None}
        return self.post(self.register_url.replace("_action=register", "_action=refresh"), body)


class Life:
    """Tests one server with the requests of devices."""

    def __init__(self, start, version, sender):
        self.base, self.control, self.first = start["base"], start["control"], start["uri"]
        self.version, self.sender = version, sender
        self.checks = 0

    def since(self, version):
        return VERSIONS.index(self.version) >= VERSIONS.index(version)

    def expect(self, what, found, wanted):
        self.checks += 1
        assert found == wanted, f"AM {self.version}, {self.sender}: {what}: {found}, not {wanted}"

    def refused(self, what, found, status=400):
        code, body = found
        self.expect(what, code, status)
        if status == 400:
            self.expect(f"{what}, the text", body, {"code": 400, "reason": "Bad Request", "message": "Bad request."})

    def accepted(self, what, found):
        self.expect(what, found, (200, {}))

    def ask(self, method, path, body=None):
        return send(method, f"{self.control}/{path}", body)

    def push(self, device, kind="default"):
        # The server looks for the user's first profile.
        order = {"user": "demo", "type": kind, "message": "Hello", "numbers": [34, "57", 12]}
        status, push = self.ask("POST", "pushes", order)
        self.expect("the server sends a push", status, 200)
        return push

    def state(self, push):
        """The state that the login page reads. Reading this state consumes an answer."""
        return self.ask("GET", f"pushes/{urllib.parse.quote(push['messageId'], safe='')}")[1].get("state")

    def play(self):
        device = self.enrol()
        self.look_at_pushes(device)
        self.answer(device)
        self.choose_numbers(device)
        self.meddle(device)
        self.update(device)
        self.replace(device)
        self.combine()
        self.bind(device)
        self.one_time_passwords()
        return self.checks

    def enrol(self):
        device = Device(self.first, "snake-1")
        named = self.since("8.0.2") and self.sender == "node"
        self.expect("the code names the user", "uid" in device.parameters, named)
        self.expect("the code names the profile", "pid" in device.parameters, named)
        wrong = base64.b64encode(bytes(32)).decode()
        self.refused("a wrong response", device.register(response=wrong))
        self.refused("another key", device.register(key=b"another key"))
        self.refused("no response at all", device.register(response=None), 500)
        self.accepted("the device registers", device.register())
        self.refused("the code is used again", device.register())
        devices = self.ask("GET", "devices")[1]
        self.expect("the server lists the device", [it["mechanismUid"] for it in devices], [device.name])
        return device

    def look_at_pushes(self, device):
        rich = self.since("7.2") and self.sender == "node"
        push = self.push(device, "challenge")
        aps = push["payload"]["aps"]
        claims = claims_of(aps["data"], device.key)
        self.expect("the push names the device", claims["u"], device.name)
        self.expect("claims are text", {type(value) for value in claims.values()}, {str})
        for claim, is_there in [("m", rich), ("k", rich), ("p", rich), ("n", rich),
                                ("i", self.since("7.2")), ("d", rich and self.since("8.0.2"))]:
            self.expect(f"the claim {claim}", claim in claims, is_there)
        if rich:
            self.expect("numbers ascend", claims["n"], "12,34,57")
        self.expect("content is available", aps["content-available"], 1 if self.since("7.3") else "1")
        self.expect("content is mutable", aps.get("mutable-content"), 1 if self.since("7.3") else None)
        self.expect("the category", "category" in aps, self.since("7.2"))

    def answer(self, device):
        push = self.push(device)
        self.refused("a wrong response", device.answer(push, response="AAAA"))
        self.refused("another key", device.answer(push, key=b"another key"))
        self.accepted("an approval", device.answer(push))
        if self.sender == "module":
            self.refused("a second answer is refused at once", device.answer(push))
        else:
            self.accepted("another answer before the login page polls", device.answer(push))
        self.expect("approved", self.state(push), "approved")
        self.refused("a second answer is refused", device.answer(push))
        push = self.push(device)
        self.accepted("a denial", device.answer(push, deny=True))
        self.expect("denied", self.state(push), "denied")
        push = self.push(device)
        self.accepted("an answer with deny: false", device.answer(push, deny=False))
        self.expect("the state after an answer with deny: false", self.state(push), "approved" if self.sender == "module" else "denied")

    def choose_numbers(self, device):
        counts = self.since("7.2") and self.sender == "node"
        for number, state in [("34", "approved"), (34, "approved"), ("57", "denied"), (None, "approved")]:
            push = self.push(device, "challenge")
            chosen = {} if number is None else {"challengeResponse": number}
            if number == "57" and counts and self.since("8.1.0"):
                self.refused("a wrong number", device.answer(push, **chosen))
                self.expect("the push waits for another number", self.state(push), "waiting")
                self.accepted("the right number afterwards", device.answer(push, challengeResponse="34"))
                self.expect("the state after the right number", self.state(push), "approved")
                continue
            self.accepted(f"the number {number}", device.answer(push, **chosen))
            self.expect(f"the state after the number {number}", self.state(push), state if counts else "approved")
        push = self.push(device, "challenge")
        if counts:
            self.refused("no number", device.answer(push, challengeResponse="many"), 500)
        else:
            self.accepted("a challenge response that the server ignores", device.answer(push, challengeResponse="many"))

    def meddle(self, device):
        post, url = device.post, device.authenticate_url
        jwt = sign(device.key, {"response": "AAAA"})
        self.refused("no message", post(url, {"jwt": jwt}))
        self.refused("a message that was never sent", post(url, {"messageId": "AUTHENTICATE:1", "jwt": jwt}))
        self.refused("a message id without a kind", post(url, {"messageId": "1", "jwt": jwt}), 500)
        self.refused("no token", post(url, {"messageId": self.push(device)["messageId"]}), 500)
        self.refused("an unknown action", post(url.replace("=authenticate", "=dance"), {}), 501)
        elsewhere = url.replace("/json/", "/json/nowhere/")
        self.refused("no message, even in an unknown realm", post(elsewhere, {}))
        self.refused("an unknown realm", post(elsewhere, {"messageId": "AUTHENTICATE:1", "jwt": jwt}), 404)
        other = send("POST", url, {}, {"Accept-API-Version": "resource=2.0"})
        self.refused("an unknown version of the resource", other, 404)

    def update(self, device):
        if not self.since("8.0.2"):
            return self.refused("a new token", device.refresh("ccdd"), 501)
        self.accepted("a new token", device.refresh("ccdd"))
        endpoint = {"user": "demo", "enabled": False}
        self.accepted("Amazon's service disables the endpoint", self.ask("POST", "endpoints", endpoint))
        status = self.ask("POST", "pushes", {"user": "demo", "type": "default"})[0]
        self.expect("a push to a disabled endpoint", status, 409)
        self.accepted("the same token again", device.refresh("ccdd"))
        self.push(device)
        self.expect("the server has the new token", self.ask("GET", "devices")[1][0]["deviceToken"], "ccdd")
        self.refused("no user", device.refresh("ee", username=None))
        self.refused("another user", device.refresh("ee", username="nobody"))
        self.refused("another device", device.refresh("ee", mechanismUid="nothing"))
        self.refused("another key", device.refresh("ee", key=b"another key"))
        self.refused("no type of communication", device.refresh("ee", communicationType=None), 500)
        self.refused("no type of device", device.refresh("ee", deviceType=None), 500)
        self.expect("the server kept the old token", self.ask("GET", "devices")[1][0]["deviceToken"], "ccdd")

    def replace(self, device):
        order = {"issuer": "PushBridge", "account": "demo"}
        self.expect("a user with a device gets no code", self.ask("POST", "registrations", order)[0], 409)
        folder = f"{self.base}/json/users/demo/devices/2fa/push"
        self.refused("no session", send("GET", f"{folder}?_queryFilter=true"), 401)
        session = self.ask("POST", "sessions", {"user": "demo"})[1]
        cookie = {"Cookie": f"{session['cookie']}={session['session']}"}
        status, devices = send("GET", f"{folder}?_queryFilter=true", headers=cookie)
        self.expect("the owner sees the profile", (status, devices["resultCount"]), (200, 1))
        profile = devices["result"][0]
        self.expect("the profile is of this device", profile["deviceMechanismUID"], device.name)
        self.expect("the owner removes the profile", send("DELETE", f"{folder}/{profile['_id']}", headers=cookie)[0], 200)
        self.expect("a second removal fails", send("DELETE", f"{folder}/{profile['_id']}", headers=cookie)[0], 404)
        status, code = self.ask("POST", "registrations", order)
        self.expect("after the removal, the server creates a code", status, 200)
        second = Device(code["uri"], "snake-2")
        path = f"registrations/{urllib.parse.quote(second.parameters['m'], safe='')}"
        self.expect("the registration page waits", self.ask("GET", path), (200, {"state": "waiting"}))
        self.accepted("the second device registers", second.register())
        self.expect("the registration page continues", self.ask("GET", path), (200, {"state": "registered"}))
        if self.since("8.0.2"):
            self.refused("the token of the first device, which was replaced", device.refresh("ff"))
            self.accepted("the token of the second device", second.refresh("ff"))


    def combine(self):
        """A code for push and one-time passwords combines the parameters of both."""
        self.ask("POST", "resets", {"user": "demo"})
        image = "https://x.example.com/y.png?a=b"
        order = {"issuer": "PushBridge", "account": "demo", "codes": "totp", "algorithm": "SHA256", "image": image}
        status, code = self.ask("POST", "registrations", order)
        if not self.since("7.3") or self.sender == "module":
            return self.expect("the server creates no combined code", status, 400)
        self.expect("the server creates a combined code", (status, code["uri"][:33]), (200, "mfauth://totp/PushBridge:demo?l=Y"))
        device = Device(code["uri"], "snake-3")
        found = device.parameters
        self.expect("the image is unchanged", found["image"], image)
        self.expect("the secret has 32 bytes", len(base64.b32decode(found["secret"])), 32)
        passwords = [found["period"], found["digits"], found["algorithm"]]
        self.expect("the one-time passwords", passwords, ["30", "6", "SHA256"])
        self.expect("the code names the profile of one-time passwords", "oid" in found, self.since("8.0.2"))
        self.accepted("the device registers with the combined code", device.register())
        self.expect("a push to the combined credential is approved", self.state_of_approval(device), "approved")
        self.ask("POST", "resets", {"user": "demo", "kind": "push"})
        self.expect("the profile of one-time passwords is left", self.ask("POST", "registrations", order)[0], 409)
        self.ask("POST", "resets", {"user": "demo", "kind": "oath"})
        self.expect("a reset removes the profile of one-time passwords", self.ask("POST", "registrations", order)[0], 200)

    def bind(self, device):
        """Checks the texts of CIBA, the name that the user typed, and the document for Amazon's service."""
        self.ask("POST", "resets", {"user": "demo"})
        self.ask("POST", "registrations", {"issuer": "PushBridge", "account": "demo"})
        order = {"user": "demo", "type": "default", "username": "d.emo", "bindingMessage": "Pay {{user}} at {{issuer}}"}
        device = Device(self.ask("POST", "registrations", {"issuer": "PushBridge", "account": "demo"})[1]["uri"], "snake-4")
        self.accepted("the device registers again", device.register())
        status, push = self.ask("POST", "pushes", order)
        if self.sender == "module":
            self.expect("a module has no binding message", status, 400)
            push = self.push(device)
            text = "Hello"
        else:
            text = "Pay d.emo at PushBridge"
            claims = claims_of(push["payload"]["aps"]["data"], device.key)
            self.expect("the text in the token", claims.get("m"), text if self.since("7.2") else None)
        publication = push["publication"]
        self.expect("the alert", push["payload"]["aps"]["alert"], text)
        self.expect("the subject", publication["Subject"], text)
        document = json.loads(publication["Message"])
        self.expect("a text for each kind of endpoint", list(document), ["default", "GCM", "APNS", "APNS_SANDBOX"])
        self.expect("the default text", document["default"], text)
        self.expect("the payload for Apple's service", json.loads(document["APNS"]), push["payload"])
        self.expect("the payload for Apple's sandbox", document["APNS_SANDBOX"], document["APNS"])
        google = json.loads(document["GCM"])
        self.expect("the priority", list(google)[0], "priority" if self.since("8.0.2") else "PRIORITY")
        aps = push["payload"]["aps"]
        self.expect("the data for Google's service", google["data"], {"message": aps["data"], "messageId": aps["messageId"]})

    def one_time_passwords(self):
        """Checks a code without push, and the profile of its one-time passwords."""
        self.ask("POST", "resets", {"user": "demo"})
        order = {"issuer": "Push Bridge", "account": "demo", "codes": "hotp", "digits": 8, "counter": 5, "push": False}
        status, code = self.ask("POST", "registrations", order)
        is_node = self.sender == "node" and self.since("7.1")
        self.expect("the server creates a code without push", (status, code["uri"][:35]), (200, "otpauth://hotp/Push%20Bridge:demo?s"))
        found = dict(pair.split("=", 1) for pair in code["uri"].split("?", 1)[1].split("&"))
        names = ["secret"] + ["issuer"] * (not self.since("7.3")) + ["counter", "digits", "b", "image"]
        names += ["uid", "oid"] * self.since("8.0.2")
        self.expect("the parameters of the code", list(found), names if is_node else ["secret", "issuer", "digits", "counter"])
        self.expect("the counter and the digits in the code", (found["counter"], found["digits"]), ("5", "8"))
        self.expect("the secret in the code is padded", found["secret"].endswith("===="), is_node)
        secret = base64.b32decode(found["secret"].rstrip("=") + "====")
        self.expect("the secret in the code", secret, decode64(code["secret"]))
        self.expect("one profile for each user", self.ask("POST", "registrations", order)[0], 409)
        session = self.ask("POST", "sessions", {"user": "demo"})[1]
        cookie = {"Cookie": f"{session['cookie']}={session['session']}"}
        for kind, count in [("oath", 1), ("push", 0)]:
            folder = f"{self.base}/json/users/demo/devices/2fa/{kind}"

            def act(action, body=None):
                return send("POST", f"{folder}?_action={action}", body or {}, cookie)

            profiles = send("GET", f"{folder}?_queryFilter=true", headers=cookie)[1]
            self.expect(f"profiles of {kind}", profiles["resultCount"], count)
            self.expect("the registration is not skipped", act("check"), (200, {"result": False}))
            self.accepted("skipping", act("skip", {"value": True}))
            self.expect("the registration is skipped", act("check"), (200, {"result": True}))
            self.expect("a reset", act("reset"), (200, {"result": True}))
            self.expect("no profile is left", send("GET", f"{folder}?_queryFilter=true", headers=cookie)[1]["result"], [])
            self.expect("an unknown action of profiles", act("dance")[0], 501)

    def be_a_stranger(self, token):
        """Checks that a client without the access token can use only the endpoints of PingAM."""
        origin = self.control[: -len(f"/control/{token}")]
        order = {"issuer": "PushBridge", "account": "stranger"}
        guess = "0" * len(token)
        for path in ["control", f"control/{guess}", f"control/{token[:-1]}", f"am/control/{token}", f"control//{guess}"]:
            for method, name, body in [
                ("POST", "registrations", order), ("GET", "devices", None), ("GET", "journal", None),
                ("POST", "pushes", {"user": "demo", "type": "default"}), ("POST", "sessions", {"user": "demo"}),
                ("POST", "resets", {"user": "demo"}), ("GET", "profile", None),
            ]:
                self.refused(f"{method} {path}/{name}", send(method, f"{origin}/{path}/{name}", body), 404)
        for value in ["Bearer", "Bearer ", f"Bearer {guess}", f"Basic {token}", token]:
            wrong = send("GET", f"{origin}/control/devices", headers={"Authorization": value})
            self.refused(f"control for {value}", wrong, 404)
        right = send("GET", f"{origin}/control/devices", headers={"Authorization": f"Bearer {token}"})
        self.expect("the token in a header", right, (200, []))
        for host in ["attacker.example", "127.0.0.1", "localhost"]:
            status = send("GET", f"{self.control}/devices", headers={"Host": host})[0]
            self.expect(f"the host {host}", status, 403)
        elsewhere = send("GET", f"{self.control}/devices", headers={"Origin": "https://attacker.example"})
        self.expect("another site's page", elsewhere[0], 403)
        folder = f"{self.base}/json/users/demo/devices/2fa/push"
        self.refused("profiles without a session", send("GET", f"{folder}?_queryFilter=true"), 401)

    def state_of_approval(self, device):
        push = self.push(device)
        self.accepted("an approval", device.answer(push))
        return self.state(push)


def visit(place, version, sender):
    """Runs all checks with a server that is already running."""
    global trusted
    with open(place) as file:
        start = json.load(file)
    if start["listening"]["tls"]:
        trusted = ssl.create_default_context()
        try:
            send("GET", start["base"])
            raise AssertionError("a client that does not have the certificate trusts the server")
        except urllib.error.URLError as error:
            assert isinstance(error.reason, ssl.SSLCertVerificationError), error
        trusted = ssl.create_default_context(cafile=start["listening"]["certificate"])
        trusted.verify_flags |= ssl.VERIFY_X509_STRICT
        # The certificate that the server named is the only trusted certificate.
        assert trusted.cert_store_stats()["x509"] == 1, trusted.cert_store_stats()
    life = Life(start, version, sender)
    life.be_a_stranger(start["control"].rsplit("/", 1)[1])
    print(f"AM {version}, {sender}, {start['base']}: {life.play()} checks passed")


def play(tool, version, sender):
    """Starts a server and runs all checks with it. Returns the number of checks."""
    arguments = [tool, "simulate", "--am-version", version, "--sender", sender, "--json", "--no-qr"]
    server = subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True)
    try:
        return Life(json.loads(server.stdout.readline()), version, sender).play()
    finally:
        server.terminate()
        server.wait()


if __name__ == "__main__":
    visit(*sys.argv[2:])
