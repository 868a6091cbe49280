import { exchange, fetchJSON, keep, make, setText } from "./dom.js";

const $ = (id) => document.getElementById(id);

/// A dropped legacy store. First, the plan for its records is shown; then, the store is migrated on the phones.
export class StoreView {
    constructor(step) {
        this.step = step;
        $("store-file").addEventListener("change", () => {
            const file = $("store-file").files[0];
            if (file) this.plan(`stores?name=${encodeURIComponent(file.name)}`, file);
            $("store-file").value = "";
        });
        $("use-fixture").addEventListener("click", () => this.plan("fixtures", { name: $("fixture").value }));
        $("migrate").addEventListener("click", () => this.migrate());
        this.fill();
    }

    async fill() {
        const fixtures = await fetchJSON("fixtures");
        $("fixture").append(...fixtures.map((one) => make("option", { value: one.name }, one.words)));
    }

    /// Uploads a store or selects an example, and shows the plan. `side` is the phone on which the user dropped the store.
    async plan(path, value, side = null) {
        setText($("store-problem"), "");
        this.begin("read");
        const plan = await exchange(path, value);
        this.end();
        $("store-plan").hidden = Boolean(plan.error);
        if (plan.error) {
            setText($("store-problem"), plan.error);
            return;
        }
        this.file = plan.file;
        this.side = side;
        const records = (count) => `${count} ${count === 1 ? "record" : "records"}`;
        const parts = [[plan.lostPush, "for push"], [plan.lostCodes, "for one-time passwords"]]
            .filter(([count]) => count).map(([count, kind]) => `${count} ${kind}`);
        const lost = plan.lost ? `${plan.lost} will not arrive${parts.length ? ` (${parts.join(", ")})` : ""}` : "all will arrive";
        setText($("store-words"), `${plan.file}: ${plan.container}, ${records(plan.count)}; ${lost}. This is the plan; nothing was changed.`);
        $("store-reasons").hidden = !plan.reasons.length;
        $("store-reasons").tBodies[0].replaceChildren(...plan.reasons.map((row) =>
            make("tr", {}, make("th", { scope: "row" }, `${row.number} ${row.reason}`), make("td", {}, String(row.count)))));
        $("store-totals").replaceChildren(...plan.totals.map((row) =>
            make("tr", {}, make("th", { scope: "row" }, row.outcome), make("td", {}, String(row.count)))));
        $("store-records").replaceChildren(...plan.records.map((row) =>
            make("tr", {}, ...[row.kind, row.key, row.outcome, row.reason].map((text) => make("td", {}, text)))));
        const rest = plan.count - plan.records.length;
        setText($("store-rest"), rest > 0 ? `${rest} more records are not listed.` : "");
        $("migrate").disabled = false;
    }

    async migrate() {
        $("migrate").disabled = true;
        this.begin("migrated");
        const problem = await this.step({ do: "migrate", file: this.file }, this.side);
        this.end();
        if (problem) {
            setText($("store-problem"), problem);
            $("migrate").disabled = false;
            return;
        }
        setText($("store-words"), `${this.file} was migrated; the timelines show the outcome of each record. The lab simulates the server of these accounts. The simulated server has their secrets; no real server gets a request.`);
    }

    begin(words) {
        clearTimeout(this.silence);
        this.words = words;
        $("store-bar").removeAttribute("value");
        $("store-bar").hidden = false;
        setText($("store-progress"), words === "read" ? "Reading the store" : "Migrating the store");
    }

    end() {
        $("store-bar").hidden = true;
        setText($("store-progress"), "");
    }

    /// Shows the progress. If another window sent the request, or after a reload, this window gets no response when
    /// the work ends. In these cases, a timer hides the bar.
    progress({ completed, total }) {
        if ($("store-bar").hidden) this.begin("done for another window");
        if (this.words.startsWith("done")) {
            clearTimeout(this.silence);
            this.silence = setTimeout(() => this.end(), 3000);
        }
        if (total) {
            $("store-bar").max = total;
            $("store-bar").value = completed;
        }
        setText($("store-progress"), `${completed}${total ? ` of ${total}` : ""} records ${this.words}`);
    }

    /// Lists the reports of the migrations that the timelines show.
    show(state) {
        const reports = state.steps.flatMap((step) => step.reports.map((side) => ({ side, number: step.number, key: `${step.number} ${side}` })));
        keep($("store-reports"), reports, (one) => one.key, (one) => {
            const href = `steps/${one.number}/report.html?side=${one.side}`;
            const phone = one.side === "legacy" ? "legacy phone" : "new phone";
            return make("li", {}, make("a", { href, target: "_blank", rel: "noopener" }, `Report of step ${one.number}, ${phone}`), " · ",
                make("a", { href, download: `migration-${one.number}-${one.side}.html`, "aria-label": `Save the report of step ${one.number}, ${phone}` }, "save"));
        }, () => {});
    }
}
