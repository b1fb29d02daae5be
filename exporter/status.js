// The page is complete without this. With it, it refreshes in place, filters while one types,
// and copies commands. What it shows always comes from the server, in the same form.
"use strict";
(() => {
  const every = Number(document.body.dataset.refresh) * 1000;
  const connection = document.getElementById("connection");
  let loading = null;
  let timer = 0;

  // keyOf finds again what had the focus before a part was replaced.
  function keyOf(element) {
    if (element.id) return "#" + CSS.escape(element.id);
    const href = element.getAttribute("href");
    return href ? `a[href=${CSS.escape(href)}]` : "";
  }

  function selecting(part) {
    const selection = document.getSelection();
    return !selection.isCollapsed && part.contains(selection.anchorNode);
  }

  function replace(part, fresh) {
    if (part.innerHTML === fresh.innerHTML || selecting(part)) return;
    const active = document.activeElement;
    const key = part.contains(active) ? keyOf(active) : "";
    const open = new Set([...part.querySelectorAll("details[open]")].map((d) => d.id));
    part.replaceChildren(...fresh.childNodes);
    for (const details of part.querySelectorAll("details")) details.open = open.has(details.id);
    if (key) part.querySelector(key)?.focus({preventScroll: true});
  }

  async function load(address) {
    loading?.abort();
    const mine = loading = new AbortController();
    const focused = copies().indexOf(document.activeElement);
    try {
      const answer = await fetch(address, {signal: AbortSignal.any([mine.signal, AbortSignal.timeout(10000)])});
      const next = new DOMParser().parseFromString(await answer.text(), "text/html");
      if (!next.getElementById("content")) throw new Error("no page");
      for (const part of document.querySelectorAll(".live")) {
        const fresh = next.getElementById(part.id);
        strip(part);
        if (fresh) replace(part, fresh);
      }
      connection.textContent = "";
    } catch {
      if (mine !== loading) return;
      connection.textContent = "The exporter does not answer. What is shown is what it said last.";
    }
    buttons();
    if (focused >= 0) copies()[focused]?.focus({preventScroll: true});
  }

  function later() {
    clearTimeout(timer);
    timer = setTimeout(async () => {
      if (!document.hidden) await load(location.href);
      later();
    }, every);
  }
  document.addEventListener("visibilitychange", () => { if (!document.hidden) load(location.href); });

  // Copy buttons are no part of what the server sent.
  function copies() { return [...document.querySelectorAll("button.copy")]; }
  function strip(part) {
    for (const button of part.querySelectorAll("button.copy")) button.remove();
  }
  function buttons() {
    if (!navigator.clipboard) return;
    for (const code of document.querySelectorAll("pre > code.command")) {
      if (code.parentElement.querySelector("button.copy")) continue;
      const button = document.createElement("button");
      button.type = "button";
      button.className = "copy";
      button.textContent = "Copy";
      button.addEventListener("click", async () => {
        await navigator.clipboard.writeText(code.textContent);
        button.textContent = "Copied";
        setTimeout(() => { button.textContent = "Copy"; }, 2000);
      });
      code.before(button);
    }
  }

  const form = document.getElementById("filter");
  if (form) {
    let typing = 0;
    const search = () => {
      const wanted = new URLSearchParams([...new FormData(form)].filter(([, value]) => value));
      const address = wanted.size ? "./?" + wanted : "./";
      history.replaceState(null, "", address);
      load(location.href);
    };
    form.addEventListener("input", () => {
      clearTimeout(typing);
      typing = setTimeout(search, 200);
    });
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      clearTimeout(typing);
      search();
    });
    document.addEventListener("keyup", (event) => { // not keydown: the slash would be typed into the field
      if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea")) return;
      form.q.focus();
    });
  }

  buttons();
  later();
})();
