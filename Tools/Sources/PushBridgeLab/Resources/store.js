import { exchange, fetchJSON, make, say } from "./dom.js";

const $ = (id) => document.getElementById(id);

/// A legacy store that was dropped: what would become of its records, and then its migration on the phones.
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

    /// Uploads a store, or chooses a made-up one, and shows the plan; `side` is the phone that it was dropped on.
    async plan(path, value, side = null) {
        say($("store-problem"), "");
        this.progressWords = "read";
        const plan = await exchange(path, value);
        say($("store-progress"), "");
        $("store-plan").hidden = Boolean(plan.error);
        if (plan.error) {
            say($("store-problem"), plan.error);
            return;
        }
        this.file = plan.file;
        this.side = side;
        say($("store-words"), `${plan.file}: ${plan.container}, ${plan.count} records. This is the plan; nothing was changed.`);
        $("store-totals").replaceChildren(...plan.totals.map((row) =>
            make("tr", {}, make("th", { scope: "row" }, row.outcome), make("td", {}, String(row.count)))));
        $("store-records").replaceChildren(...plan.records.map((row) =>
            make("tr", {}, ...[row.kind, row.key, row.outcome, row.reason].map((text) => make("td", {}, text)))));
        const rest = plan.count - plan.records.length;
        say($("store-rest"), rest > 0 ? `${rest} more records are not listed.` : "");
        $("migrate").disabled = false;
    }

    async migrate() {
        $("migrate").disabled = true;
        this.progressWords = "migrated";
        await this.step({ do: "migrate", file: this.file }, this.side);
        say($("store-progress"), "");
        say($("store-words"), `${this.file} was migrated; the timelines show the outcome of each record. The server of its accounts is simulated here: it knows their secrets, and no real server is asked.`);
    }

    progress(records) {
        say($("store-progress"), `${records} records ${this.progressWords ?? "read"}`);
    }
}
