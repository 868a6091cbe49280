// Creates and reuses elements. When an element is reused, the focus, open details and the pointer's target are preserved.

/// Creates an element. Texts and elements become its content; texts are never read as markup.
export function make(tag, properties = {}, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(properties)) {
        if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
        else if (name === "class") element.className = value;
        else if (name in element && typeof value !== "string") element[name] = value;
        else if (value !== undefined && value !== null) element.setAttribute(name, value);
    }
    element.append(...children.filter((child) => child !== null && child !== undefined));
    return element;
}

/// Sets the text of an element, but only if the text changed.
export function setText(element, text) {
    if (element.textContent !== text) element.textContent = text;
}

/// Keeps one child element of `parent` for each item. An element is created once for the item's key, and updated each time.
export function keep(parent, items, key, create, update) {
    const present = new Map();
    for (const child of parent.children) if (child.dataset.key !== undefined) present.set(child.dataset.key, child);
    let place = null;
    for (const item of items) {
        const name = String(key(item));
        let element = present.get(name);
        present.delete(name);
        if (!element) {
            element = create(item);
            element.dataset.key = name;
        }
        const next = place ? place.nextElementSibling : parent.firstElementChild;
        if (element !== next) parent.insertBefore(element, next);
        update(element, item);
        place = element;
    }
    for (const gone of present.values()) gone.remove();
}

const largest = { stores: 64, scenario: 4 };

/// Sends a request. Returns the reason if the lab refuses the request.
export async function send(path, value) {
    return (await exchange(path, value)).error ?? null;
}

/// Sends a request. Returns the lab's response; if the lab refuses the request, `error` contains the reason.
export async function exchange(path, value) {
    const body = value instanceof Blob ? value : JSON.stringify(value ?? {});
    const limit = largest[path.split("?")[0]] ?? 4;
    if (body.size > limit << 20) return { error: `The file has ${Math.ceil(body.size / (1 << 20))} MB; the lab accepts at most ${limit} MB.` };
    try {
        const response = await fetch(path, { method: "POST", body });
        const answer = await response.json().catch(() => ({}));
        return response.ok || answer.error ? answer : { error: `The lab responded with status ${response.status}.` };
    } catch {
        return { error: "The lab does not respond. Is the command still running?" };
    }
}

export async function fetchJSON(path) {
    const response = await fetch(path);
    if (!response.ok) throw new Error(`The lab responded with status ${response.status}.`);
    return await response.json();
}
