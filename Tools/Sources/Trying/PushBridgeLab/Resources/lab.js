import { fetchJSON, keep, make, setText, send } from "./dom.js";
import { LaneView } from "./lane.js";
import { PhoneView } from "./phone.js";
import { StoreView } from "./store.js";
import { TimelineView } from "./timeline.js";

const $ = (id) => document.getElementById(id);
let state = null;

const register = await fetchJSON("register");
const versions = await fetchJSON("versions");
const catalogue = await fetchJSON("catalogue");
const timeline = new TimelineView(register);
const lane = new LaneView(register);
const phones = Object.fromEntries(["legacy", "async"].map((side) => [side, new PhoneView(side, play, (file) => drop(file, side))]));
const store = new StoreView(play);
$("settings").elements.version.append(...versions.map((version) => make("option", {}, version)));

if (!["127.0.0.1", "localhost"].includes(location.hostname)) {
    setText($("reach"), `Each client that reaches ${location.hostname} and has this page's address can use the lab; connections are not encrypted.`);
}

const events = new EventSource("events");
events.onmessage = (event) => {
    const next = JSON.parse(event.data);
    setText($("connection"), "");
    if (state && next.revision === state.revision) return;
    state = next;
    show();
};
events.addEventListener("progress", (event) => store.progress(JSON.parse(event.data)));
events.onerror = () => setText($("connection"), "The lab does not respond; it runs only while its command runs.");

function drop(file, side) {
    store.plan(`stores?name=${encodeURIComponent(file.name)}`, file, side);
}

/// Plays a step that the user clicked on a phone. Depending on the setting, it is played on both phones or only on this phone.
async function play(step, side) {
    const isOne = side && (state.isShared || document.querySelector("[name=coupled]:checked").value === "one");
    return await ask("steps", isOne ? { ...step, on: side } : step, side ? phones[side].problem : $("problem"));
}

/// Sends a request to the lab. If the lab refuses it, shows the reason at a place of the page, and returns the reason.
async function ask(path, value, place = $("problem")) {
    const problem = await send(path, value);
    setText(place, problem ?? "");
    return problem;
}

function show() {
    const verdict = $("verdict");
    verdict.className = state.verdict.id;
    setText(verdict, state.count ? `${state.count} ${state.count === 1 ? "step" : "steps"}: ${state.verdict.words}` : "No step played yet");
    setText($("announcement"), TimelineView.sentence(state));
    for (const side of ["legacy", "async"]) phones[side].show(state.phones[side]);
    showServer();
    showScenario();
    timeline.show(state);
    lane.show(state.lane);
    store.show(state);
}

function showServer() {
    const fields = $("settings").elements;
    for (const name of ["version", "sender", "store", "shared"]) {
        if (document.activeElement !== fields[name]) fields[name].value = String(state.settings[name]);
    }
    const accounts = new Map();
    for (const side of ["legacy", "async"]) {
        for (const account of state.phones[side].accounts) {
            if (account.credential && account.push) accounts.set(account.credential, `${account.account} (${account.credential})`);
        }
    }
    const to = $("push").elements.credential;
    const chosen = to.value;
    const hadLast = to.selectedIndex === to.options.length - 1;
    keep(to, [...accounts], ([name]) => name, ([name]) => make("option", { value: name }), (option, [, text]) => setText(option, text));
    if (accounts.has(chosen) && !hadLast) to.value = chosen; else to.selectedIndex = to.options.length - 1;
    $("send").disabled = !accounts.size;
    $("enrol").elements.account.placeholder = state.next.credential;
    keep($("logins"), state.server, (push) => push.push,
        () => make("tr", {}, make("th", { scope: "row" }), make("td"), make("td"), make("td")),
        (row, push) => [push.push, String(push.number ?? ""), push.legacy, push.async].forEach((text, index) => setText(row.children[index], text)));
    setText($("clock"), new Date(state.clock.now * 1000).toISOString().slice(11, 19));
    $("run").setAttribute("aria-pressed", String(state.clock.isRunning));
    setText($("run"), state.clock.isRunning ? "Stop the clock" : "Run the clock");
}

function showScenario() {
    $("undo").disabled = !state.count;
    $("redo").disabled = !state.undone;
    for (const id of ["replay", "slowly", "clear"]) $(id).disabled = !state.count;
    if (document.activeElement !== $("name")) $("name").value = state.name;
    $("coupling").disabled = state.isShared;
}

/// Lists the built-in scenarios that contain every searched word in their name, steps or values.
function find() {
    const words = $("find").value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = catalogue.filter((one) => words.every((word) => `${one.name} ${one.words} ${one.values}`.toLowerCase().includes(word)));
    $("found-list").replaceChildren(...found.map((one) => make("option", { value: String(one.number), title: one.words }, one.name)));
    $("found-list").selectedIndex = found.length ? 0 : -1;
    setText($("found"), `${found.length} of ${catalogue.length}`);
}
find();
$("find").addEventListener("input", find);
$("found-list").addEventListener("dblclick", () => $("catalogue").requestSubmit());

// Controls outside the phones

/// The values of a form's non-empty fields.
function filled(form) {
    return Object.fromEntries([...new FormData(form)].filter(([, value]) => value !== ""));
}

function onSubmit(id, body) {
    $(id).addEventListener("submit", (event) => {
        event.preventDefault();
        body(filled(event.target), event.target.querySelector(".problem"));
    });
}

onSubmit("enrol", async (fields, place) => {
    // A phone needs a device token before it can be enrolled. The first click sets the token.
    if (!state.phones.legacy.token && !state.phones.async.token) await ask("steps", { do: "token", hex: "0a1b2c3d4e5f6071" }, place);
    await ask("steps", { do: "enrol", ...fields }, place);
});
onSubmit("catalogue", () => {
    if ($("found-list").value) ask("catalogue", { number: Number($("found-list").value) });
});
onSubmit("push", (fields, place) => {
    if (fields.ttl) fields.ttl = Number(fields.ttl);
    if (fields.type === "challenge") fields.numbers ??= "34,43,57";
    ask("steps", { do: "receive", ...fields }, place);
});
onSubmit("fault", (fields, place) => ask("steps", { do: "fault", ...fields, times: Number(fields.times ?? 1) }, place));
onSubmit("settings", () => {});
$("settings").addEventListener("change", async (event) => {
    const { name, value } = event.target;
    const problem = await ask("settings", { [name]: name === "shared" ? value === "true" : value }, $("settings").querySelector(".problem"));
    // After a refusal, the field shows the lab's value again.
    if (problem) event.target.value = String(state.settings[name]);
});
const clockProblem = $("time").querySelector(".problem");
for (const button of document.querySelectorAll("[data-seconds]")) {
    button.addEventListener("click", () => ask("steps", { do: "advance", seconds: Number(button.dataset.seconds) }, clockProblem));
}
$("run").addEventListener("click", () => ask("clock", { runs: !state.clock.isRunning }, clockProblem));
$("undo").addEventListener("click", () => ask("undo"));
$("redo").addEventListener("click", () => ask("redo"));
$("replay").addEventListener("click", () => ask("replay"));
$("slowly").addEventListener("click", () => ask("replay", { slowly: true }));
$("clear").addEventListener("click", () => ask("clear"));
$("name").addEventListener("change", () => ask("name", { name: $("name").value }));
$("load").addEventListener("change", async () => {
    const file = $("load").files[0];
    if (file) await ask("scenario", file);
    $("load").value = "";
});
