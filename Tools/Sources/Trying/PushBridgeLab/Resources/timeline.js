import { fetchJSON, keep, make, setText } from "./dom.js";

const names = { legacy: "FRAuthenticator", async: "PingPush", both: "Both" };
const verdicts = { same: "same", differentByDesign: "different by design", different: "different" };

/// Both timelines side by side, with the newest step first. Each step shows the events of each side and the differences.
export class TimelineView {
    constructor(register) {
        this.register = register;
        this.list = document.getElementById("steps");
        this.isWatched = false;
        for (const [on, off] of [["pointerenter", "pointerleave"], ["focusin", "focusout"]]) {
            this.list.addEventListener(on, () => { this.isWatched = true; });
            this.list.addEventListener(off, () => { this.isWatched = false; });
        }
    }

    show(state) {
        const list = this.list;
        const isAtStart = list.scrollTop < 40;
        const compared = state.verdict.id !== "notCompared";
        keep(list, state.steps, (step) => step.number, (step) => this.row(step), (row, step) => this.update(row, step, compared));
        // The list does not scroll while the user reads a step or points at a step.
        if (isAtStart && !this.isWatched) list.scrollTop = 0;
    }

    row(step) {
        const details = make("details", { class: "all" }, make("summary", {}, "Calls, requests, changes"), make("div"));
        details.addEventListener("toggle", () => { if (details.open) this.fill(details, step.number); });
        return make("li", {}, make("p", { class: "what" }), make("div", { class: "sides" }), make("div", { class: "findings" }), details);
    }

    update(row, step, compared) {
        const signature = JSON.stringify(step) + compared;
        if (row.dataset.signature === signature) return;
        row.dataset.signature = signature;
        const on = step.on ? `, on ${names[step.on]} only` : "";
        row.querySelector(".what").replaceChildren(
            make("b", {}, `${step.number} ${step.words}`), ` ${step.parameters}${on} `,
            compared ? make("span", { class: step.verdict === "same" ? "soft" : step.verdict }, verdicts[step.verdict]) : "");
        // The APIs name errors differently, so a step with an error shows both sides.
        const fails = ["legacy", "async"].some((side) => step[side].calls.flat().some((result) => result.ending === "failure"));
        const isPlain = step.verdict === "same" && compared && !fails;
        const sides = row.querySelector(".sides");
        // If both sides are equal, they are shown only once.
        sides.classList.toggle("once", isPlain);
        sides.replaceChildren(...(isPlain ? [this.side("both", step.legacy)] : ["legacy", "async"].map((side) => this.side(side, step[side]))));
        sides.hidden = isPlain && !step.legacy.calls.length && !step.legacy.requests.length;
        row.querySelector(".findings").replaceChildren(
            ...step.findings.filter((finding) => finding.kind !== "form").map((finding) => this.finding(finding, step.number)));
        const details = row.querySelector("details.all");
        if (details.open) this.fill(details, step.number);
    }

    side(side, events) {
        const lines = [];
        for (const request of events.requests) lines.push(make("p", {}, `→ ${request}`));
        for (const call of events.calls) {
            if (!call.length) lines.push(make("p", { class: "failure" }, "no result"));
            for (const result of call) {
                const sign = { value: "✓ ", failure: "✗ " }[result.ending] ?? "";
                lines.push(make("p", { class: result.ending === "failure" ? "failure" : "" }, `${sign}${result.text} `,
                    side === "both" ? "" : make("span", { class: "soft" }, result.way)));
            }
        }
        if (!lines.length) lines.push(make("p", { class: "soft" }, "–"));
        return make("div", { class: "side" }, make("p", { class: "name" }, names[side]), ...lines);
    }

    /// Shows a difference by its name. The details contain the reason and the places.
    finding(finding, number) {
        const row = this.register[finding.id];
        const places = make("div");
        const details = make("details", { class: `finding ${finding.kind}` },
            make("summary", {}, finding.id ?? "unexplained difference"),
            make("div", {},
                row ? make("p", {}, make("b", {}, "FRAuthenticator: "), ...withCode(row.legacy)) : null,
                row ? make("p", {}, make("b", {}, "PingPush: "), ...withCode(row.async)) : null,
                row ? make("p", {}, make("b", {}, "Why: "), ...withCode(row.reason)) : null,
                places));
        details.addEventListener("toggle", async () => {
            if (!details.open || places.childElementCount) return;
            const all = await fetchJSON(`steps/${number}`);
            places.replaceChildren(...all.findings.filter((one) => one.id === finding.id).map((one) =>
                make("p", {}, make("code", {}, one.place), `: ${one.legacy} ↔ ${one.async}`)));
        });
        return details;
    }

    async fill(details, number) {
        const all = await fetchJSON(`steps/${number}`);
        const side = (name) => make("div", { class: "side" }, make("p", { class: "name" }, names[name]),
            ...all[name].calls.map((text) => make("pre", {}, text)),
            ...all[name].requests.map((request) => make("details", {}, make("summary", {}, request.title), make("pre", {}, request.text))),
            all[name].changes.length
                ? make("details", {}, make("summary", {}, `${all[name].changes.length} changes in the store and on the server`), make("pre", {}, all[name].changes.join("\n")))
                : null);
        const forms = all.findings.filter((one) => one.kind === "form");
        details.lastElementChild.replaceChildren(
            make("div", { class: "sides" }, side("legacy"), side("async")),
            forms.length ? make("p", { class: "soft" }, `Only the form differs: ${[...new Set(forms.map((one) => one.id))].join(", ")}.`) : "");
    }

    /// Returns a sentence about the last step, for screen readers.
    static sentence(state) {
        const step = state.steps[0];
        if (!step) return "Nothing was played yet. Scan a QR code first.";
        const ids = step.findings.filter((finding) => finding.kind !== "form").map((finding) => finding.id ?? "unexplained difference");
        const what = state.verdict.id === "notCompared" ? "" : `: ${ids.length ? ids.join(", ") : "same"}`;
        return `Step ${step.number}, ${step.words}${what}.`;
    }
}

function withCode(text) {
    return text.split("`").map((part, index) => (index % 2 ? make("code", {}, part) : part));
}
