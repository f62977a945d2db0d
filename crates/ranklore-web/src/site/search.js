// Searches the competitors of a static site. The index has parts; a part is a sorted list of
// [key, name, page, id]. Only the parts that can have the text are loaded.
"use strict";
(() => {
  const KEY_CHARS = 24;
  const MAX_PARTS = 3;
  const MAX_FOUND = 20;
  const form = document.querySelector("form.search");
  if (!form) return;
  const field = form.querySelector("input");
  const found = form.querySelector("ul");
  const base = new URL(form.dataset.index, location.href);
  const loaded = new Map();
  form.hidden = false;

  const load = (url) => {
    if (!loaded.has(url.href)) {
      const answer = fetch(url).then((response) => {
        if (!response.ok) throw new Error(`status ${response.status}`);
        return response.json();
      });
      // A failed request is sent again the next time.
      answer.catch(() => loaded.delete(url.href));
      loaded.set(url.href, answer);
    }
    return loaded.get(url.href);
  };

  const fold = (text) =>
    text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().trim().replace(/\s+/gu, " ");

  // Returns the entries whose key begins with the text, and true if there are more.
  const search = async (text) => {
    const key = Array.from(text).slice(0, KEY_CHARS).join("");
    const parts = await load(base);
    const first = Math.max(0, parts.findLastIndex((part) => part[0] < key));
    let end = first;
    while (end < parts.length && (parts[end][0] < key || parts[end][0].startsWith(key))) end += 1;
    const wanted = parts.slice(first, Math.min(end, first + MAX_PARTS));
    const lists = await Promise.all(wanted.map((part) => load(new URL(part[1], base))));
    const entries = lists.flat().filter((entry) => entry[0].startsWith(key));
    const byPage = new Map(entries.map((entry) => [entry[2], entry]));
    return [[...byPage.values()], end - first > MAX_PARTS];
  };

  const say = (text) => {
    const item = document.createElement("li");
    item.textContent = text;
    return item;
  };

  const show = async () => {
    const text = fold(field.value);
    if (text === "") {
      found.replaceChildren();
      return;
    }
    let items;
    try {
      const [entries, isCut] = await search(text);
      items = entries.slice(0, MAX_FOUND).map(([, name, page, id]) => {
        const link = document.createElement("a");
        link.href = new URL(`../player/${page}.html`, base);
        const label = document.createElement("bdi");
        label.textContent = id === undefined ? name : `${name} (${id})`;
        link.append(label);
        const item = document.createElement("li");
        item.append(link);
        return item;
      });
      if (entries.length === 0) items.push(say("No competitor with a page has this name."));
      else if (isCut || entries.length > MAX_FOUND) items.push(say("There are more: type more of the name."));
    } catch {
      items = [say("The search index cannot be loaded.")];
    }
    // An answer to an earlier text may come late.
    if (fold(field.value) === text) found.replaceChildren(...items);
  };

  field.addEventListener("input", show);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const only = found.querySelectorAll("a");
    if (only.length > 0) location.href = only[0].href;
  });
})();
