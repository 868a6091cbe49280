import { keep, make, setText, send } from "./dom.js";

const $ = (id) => document.getElementById(id);

/// The user's own app, which the page shows beside the two phones.
export class LaneView {
    constructor(register) {
        this.register = register;
        this.opened = 0;
        $("lane-open").addEventListener("click", () => this.open($("lane-side").value));
        $("lane-close").addEventListener("click", () => this.open(null));
        $("lane-bundle").addEventListener("input", () => this.showFiles());
    }

    async open(side) {
        setText($("lane-problem"), await send("lane", { side }) ?? "");
        this.opened += 1;
        // The number in the address makes the browser load the picture of the new code.
        if (side) $("lane-code").src = `lane/code.svg?${this.opened}`;
    }

    /// Links each push to its file. The file contains the app's bundle identifier.
    showFiles() {
        const bundle = encodeURIComponent($("lane-bundle").value || "com.example.app");
        for (const row of $("lane-pushes").children) {
            row.lastElementChild.href = `lane/push.apns?push=${encodeURIComponent(row.dataset.key)}&bundle=${bundle}`;
        }
    }

    show(lane) {
        $("lane").hidden = !lane;
        $("lane-close").disabled = !lane;
        if (!lane) return;
        if (!$("lane-code").hasAttribute("src")) $("lane-code").src = "lane/code.svg";
        setText($("lane-words"), lane.isEnrolled
            ? "The app is enrolled. It gets a push for each push that the phones get."
            : `Scan the code with the app. The app's server is ${lane.base}.`);
        setText($("lane-poll"), `${location.href.split("#")[0]}lane/pushes?after=0`);
        keep($("lane-pushes"), lane.pushes, (push) => push.number, () => make("li", {}, make("span"), " · ", make("a", {}, "as a file")),
            (row, push) => {
                setText(row.firstElementChild, `${push.push} ${push.state}`);
                row.lastElementChild.setAttribute("aria-label", `${push.push} as a file`);
            });
        this.showFiles();
        keep($("lane-requests"), lane.requests, (request) => request.number, () => make("li"), (row, request) => {
            const signature = JSON.stringify(request);
            if (row.dataset.signature === signature) return;
            row.dataset.signature = signature;
            const other = lane.side === "legacy" ? "the new phone" : "the legacy phone";
            const ids = [...new Set(request.findings.map((one) => one.id ?? "unexplained difference"))];
            const verdict = request.step === null ? `${other} has sent no such request yet`
                : ids.length ? `compared with ${other} in step ${request.step}: ${ids.join(", ")}` : `the same as on ${other} in step ${request.step}`;
            row.replaceChildren(make("p", {}, `${request.number} ${request.title}`, request.push ? ` for ${request.push}` : ""),
                make("p", { class: request.findings.some((one) => one.id === null) ? "unexplained" : "soft" }, verdict),
                make("details", {}, make("summary", {}, "Both requests"),
                    ...request.findings.map((one) => make("p", {}, make("code", {}, one.place), `: ${one.legacy} ↔ ${one.async}`)),
                    make("div", { class: "sides" }, make("div", { class: "side" }, make("p", { class: "name" }, "Your app"), make("pre", {}, request.text)),
                        make("div", { class: "side" }, make("p", { class: "name" }, other), make("pre", {}, request.own ?? "–")))));
        });
    }
}
