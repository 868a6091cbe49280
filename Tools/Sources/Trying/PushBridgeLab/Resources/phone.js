import { keep, make, setText } from "./dom.js";

const sides = { legacy: "legacy phone", async: "new phone" };

/// A phone, with its screen and its actions. `step(step, side)` plays a step that the user clicked on this phone.
export class PhoneView {
    constructor(side, step, drop) {
        this.side = side;
        this.step = (members) => step(members, side);
        const section = document.getElementById(side);
        this.device = make("p", { class: "soft" });
        this.problem = make("p", { class: "problem", role: "alert" });
        this.pushes = make("div");
        this.accounts = make("div");
        this.older = make("p", { class: "soft" });
        this.others = make("p", { class: "soft" });
        this.lock = this.button("Lock the phone", () => ({ do: "device", isLocked: !this.state.isLocked }));
        this.face = this.button("Refuse the face", () => ({ do: "device", refusesFace: !this.state.refusesFace }));
        acceptDrops(section, drop);
        section.append(
            this.device, this.problem,
            make("h3", {}, "Pushes"), this.older, this.pushes,
            make("h3", {}, "Accounts"), this.accounts, this.others,
            make("h3", {}, "Phone"),
            make("div", { class: "row" },
                this.lock, this.face,
                this.button("Restart the app", () => ({ do: "restart" })),
                this.button("New device token", () => ({ do: "token", hex: newToken() })),
            ),
            make("div", { class: "row" },
                this.button("List pushes", () => ({ do: "list", what: "notifications" })),
                this.button("List accounts", () => ({ do: "list", what: "credentials" })),
                this.button("List codes", () => ({ do: "list", what: "oathCredentials" })),
            ),
        );
    }

    button(text, step, properties = {}) {
        return make("button", { type: "button", ...properties, onclick: () => this.step(step()) }, text);
    }

    show(state) {
        this.state = state;
        const token = state.token ? `Device token ${state.token.slice(0, 8).toLowerCase()}…` : "No device token yet";
        setText(this.device, [token, state.isLocked ? "locked" : "unlocked",
            state.refusesFace ? "refuses the face" : "recognises the face"].join(" · "));
        setText(this.lock, state.isLocked ? "Unlock the phone" : "Lock the phone");
        setText(this.face, state.refusesFace ? "Recognise the face" : "Refuse the face");
        const hidden = state.pushCount - state.pushes.length;
        setText(this.older, hidden > 0 ? `${hidden} older pushes are not shown.` : state.pushCount ? "" : "None yet.");
        keep(this.pushes, state.pushes, (push) => push.id, (push) => this.pushCard(push), showPush);
        const others = state.accountCount - state.accounts.length;
        setText(this.others, others > 0 ? `${others} more accounts are not shown.` : state.accountCount ? "" : "None yet.");
        keep(this.accounts, state.accounts, (account) => account.credential ?? `${account.issuer} ${account.account}`,
            (account) => this.accountCard(account), showAccount);
    }

    pushCard(push) {
        const id = `${this.side}-${push.push ?? push.id}`.replaceAll(/[^\w-]/g, "-");
        const answers = make("div", { class: "row", role: "group", "aria-label": `Answer ${push.push} on the ${sides[this.side]}` });
        const answer = (text, members) =>
            answers.append(this.button(text, () => ({ do: "answer", push: push.push, ...members })));
        if (!push.push) {
            answers.append("This push arrived before the migration; its login has ended.");
        } else if (push.type === "challenge") {
            for (const number of push.numbers) answer(String(number), { with: "challenge", number: String(number) });
            const typed = make("input", { class: "number", inputmode: "numeric", autocomplete: "off", maxlength: "4" });
            answers.append(make("label", {}, "Number ", typed));
            const approve = this.button("Approve", () => ({ do: "answer", push: push.push, with: "challenge", number: typed.value }));
            answers.append(approve);
            clickOnEnter(typed, approve);
        } else if (push.type === "biometric") {
            answer("Approve with the face", { with: "biometric" });
        } else {
            answer("Approve", { with: "approve" });
        }
        if (push.push) answer("Deny", { with: "deny" });
        const card = make("article", { class: "card", "aria-labelledby": id },
            make("h4", { id }, push.message || "Login"),
            make("p", {}, make("span", { class: "soft" }, `${push.push ?? "older"}, ${push.type} · `), make("span", { class: "state" })),
            isSome(push.context) ? make("p", { class: "soft" }, `Context ${push.context}`) : null,
            isSome(push.payload) ? make("p", { class: "soft" }, `Payload ${push.payload}`) : null,
            answers, make("p", { class: "result" }));
        return card;
    }

    accountCard(account) {
        const name = account.credential;
        const id = `${this.side}-account-${name ?? account.issuer + account.account}`.replaceAll(/\s/g, "-");
        const about = (members) => () => ({ credential: name, ...members });
        const rename = make("input", { autocomplete: "off", maxlength: "80" });
        const renaming = this.button("Rename", () => ({ do: "rename", credential: name, account: rename.value }));
        clickOnEnter(rename, renaming);
        const actions = make("details", { class: "more" }, make("summary", {}, "Rename, lock, delete"),
            make("div", { class: "row" },
                make("label", {}, "New name ", rename), renaming),
            make("div", { class: "row" },
                this.button("Lock", about({ do: "lock", policy: "biometricAvailable" })),
                this.button("Unlock", about({ do: "unlock" })),
                this.button("Delete credential", about({ do: "deleteCredential" })),
                this.button("Delete account", about({ do: "deleteAccount" }))));
        const code = make("p", { class: "row" }, make("span", { class: "code" }), make("span", { class: "soft" }));
        if (name) code.append(this.button("Show code", about({ do: "code" })));
        return make("article", { class: "card", "aria-labelledby": id },
            make("h4", { id }), make("p", { class: "soft about" }), code,
            name ? actions : null, make("p", { class: "result" }));
    }
}

/// Whether an object has members. Servers also send empty objects.
function isSome(object) {
    return object && !/^\{\s*\}$/.test(object);
}

/// Makes the enter key in a field click the button beside it.
function clickOnEnter(field, button) {
    field.addEventListener("keydown", (event) => { if (event.key === "Enter" && !event.isComposing) button.click(); });
}

/// Accepts files that the user drops on an element of the page.
function acceptDrops(place, drop) {
    place.addEventListener("dragover", (event) => {
        event.preventDefault();
        place.classList.add("target");
    });
    place.addEventListener("dragleave", () => place.classList.remove("target"));
    place.addEventListener("drop", (event) => {
        event.preventDefault();
        place.classList.remove("target");
        const file = event.dataTransfer.files[0];
        if (file) drop(file);
    });
}

function showPush(card, push) {
    setText(card.querySelector(".state"), push.state);
    showResult(card, push.result);
}

function showAccount(card, account) {
    setText(card.querySelector("h4"), `${account.issuer}: ${account.account}`);
    const kinds = [account.push ? "push" : null, account.oath ? account.oath.type : null].filter(Boolean);
    const lock = account.isLocked ? `locked${account.policy ? ` by ${account.policy}` : ""}` : null;
    const unknown = account.push && !account.isKnown ? "unknown to the server" : null;
    setText(card.querySelector(".about"), [account.credential, kinds.join(" and ") || "no credentials", lock, unknown].filter(Boolean).join(" · "));
    const [code, left] = card.querySelectorAll(".code, .code + .soft");
    card.querySelector(".row").hidden = !account.oath;
    if (account.oath) {
        setText(code, account.oath.code ?? "");
        setText(left, account.oath.code ? `${account.oath.left} s left` : `by counter, next ${account.oath.counter}`);
    }
    showResult(card, account.result);
}

function showResult(card, result) {
    const place = card.querySelector(":scope > .result");
    place.className = `result ${result?.ending ?? ""}`;
    const sign = { value: "✓", failure: "✗" }[result?.ending] ?? "";
    setText(place, result ? `Step ${result.step}, ${result.verb}: ${sign} ${result.text}`.trim() : "");
}

function newToken() {
    const bytes = crypto.getRandomValues(new Uint8Array(8));
    return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
