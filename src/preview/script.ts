// What the preview's page does: it shows the chosen file's home to the chosen visitor, and follows the file.

// Texts are put in as text; what is put in as HTML was escaped by the template, and the policy lets nothing else run.
export const SCRIPT = `"use strict";
(() => {
  const find = (id) => document.getElementById(id);
  const [frame, glass, files, stage, problems, warnings, facts, status] = ["home", "glass", "file", "stage", "problems", "warnings", "facts", "status"].map(find);
  const DESKTOP = 1024, PHONE = 560, RETRY_MS = 3000;
  const data = find("data");
  let cards = [];
  let shown, answer = "asked", isLost = false, isOpen = false;

  const chosen = (name) => document.querySelector("input[name=" + name + "]:checked").value;

  function list(file) {
    files.replaceChildren(...cards.map((card, index) => new Option((card.isWrong ? "✕ " : "") + card.file, index)));
    files.selectedIndex = Math.max(cards.findIndex((card) => card.file === file), 0);
    document.body.classList.toggle("single", cards.length < 2);
  }

  function put(place, content) {
    if (place.innerHTML !== content) place.innerHTML = content;
    place.hidden = content === "";
  }

  function say(text, isBad) {
    // A reader says again what is put in again.
    if (status.textContent !== text) status.textContent = text;
    status.className = isBad ? "bad" : "";
  }

  function show() {
    if (isLost) say("The preview has ended. Start it again to follow the file.", true);
    const card = cards[files.selectedIndex];
    if (!card) return;
    const name = chosen("viewer");
    document.title = (card.isWrong ? "✕ " : "") + card.file + " – Lintel preview";
    if (!isLost) say(card.status, card.isWrong);
    put(problems, card.problems);
    put(warnings, card.warnings);
    put(facts, card.facts);
    stage.dataset.screen = chosen("screen");
    stage.className = card.isWrong || isLost ? "before" : "";
    facts.className = card.isWrong ? "before" : "";
    find("empty").hidden = card.homes !== null;
    glass.hidden = card.homes === null;
    fit();
    // What is asked of a server that has gone leaves an error page in the frame.
    if (isLost || card.homes === null) return;
    frame.title = "The portal’s home, for: " + name;
    showHome(card.homes[name]);
  }

  function showHome(home) {
    if (home.address === undefined) {
      const text = home[answer] || home.asked;
      if (text !== shown) frame.srcdoc = text;
      shown = text;
      return;
    }
    // null where the frame holds the browser's own error page, of which nothing can be asked.
    const inside = frame.contentDocument;
    if (!inside || inside.location.pathname !== home.address) go(home.address);
    else if (home.stamp !== shown) inside.location.reload();
    shown = home.stamp;
  }

  // Replaced, so that the way back never leads to a home that is no longer chosen.
  function go(address) {
    frame.contentWindow.location.replace(address);
  }

  /** A picture of a desktop stays one where there is less room: the home gets its width, and is drawn smaller. */
  function fit() {
    const room = glass.clientWidth;
    const isDesktop = chosen("screen") === "wide" && room >= PHONE;
    frame.style.setProperty("--scale", isDesktop ? Math.min(1, room / DESKTOP) : 1);
  }

  function take(news) {
    const file = cards[files.selectedIndex]?.file;
    for (const [at, card] of news) cards[at] = card;
    list(file);
    show();
  }

  function answerWith(value) {
    answer = value;
    if (data) show();
    else if (!isLost) go(frame.contentDocument.location.pathname + (value === "asked" ? "" : "?notice=" + value));
  }

  function lookInside() {
    const inside = frame.contentDocument;
    if (!inside) return;
    const home = cards[files.selectedIndex]?.homes?.[chosen("viewer")];
    if (inside.location.pathname.startsWith("/home/") && home && inside.location.pathname !== home.address) show();
    inside.addEventListener("submit", (event) => {
      event.preventDefault();
      answerWith(event.submitter.value);
    });
    inside.addEventListener("click", (event) => {
      const link = event.target.closest("a[href]:not([target])");
      if (!link) return;
      event.preventDefault();
      answerWith("asked");
    });
    const apps = inside.querySelector(".site:not([inert]) details");
    if (!apps) return;
    apps.open = isOpen;
    apps.addEventListener("toggle", () => (isOpen = apps.open));
  }

  function remember() {
    const values = { viewer: chosen("viewer"), screen: chosen("screen"), file: files.selectedIndex };
    history.replaceState(null, "", "#" + new URLSearchParams(values));
  }

  function recall() {
    const values = new URLSearchParams(location.hash.slice(1));
    for (const name of ["viewer", "screen"]) {
      const input = [...document.getElementsByName(name)].find((each) => each.value === values.get(name));
      if (input) input.checked = true;
    }
    return cards[Number(values.get("file"))]?.file;
  }

  /** The news of all files: one that is not among them is followed no more. */
  function begin(news) {
    const file = cards[files.selectedIndex]?.file;
    cards = news.map(([, card]) => card);
    list(file ?? recall());
    show();
  }

  document.addEventListener("change", (event) => {
    if (event.target.name !== "screen") {
      answer = "asked";
      isOpen = false;
    }
    remember();
    show();
  });
  frame.addEventListener("load", lookInside);
  new ResizeObserver(fit).observe(glass);
  if (data) {
    begin(JSON.parse(data.textContent));
    return;
  }

  let events;
  function listen() {
    const source = new EventSource("/events");
    let hear = begin;
    source.onopen = () => {
      hear = begin;
      isLost = false;
    };
    source.onmessage = ({ data }) => {
      hear(JSON.parse(data));
      hear = take;
    };
    source.onerror = () => {
      isLost = true;
      show();
      if (source.readyState === EventSource.CLOSED) setTimeout(() => source === events && listen(), RETRY_MS);
    };
    events = source;
  }
  // A browser opens six connections to a server: pages that nobody looks at must not hold them all.
  function listenWhileSeen() {
    events?.close();
    events = undefined;
    if (!document.hidden) listen();
  }
  document.addEventListener("visibilitychange", listenWhileSeen);
  listenWhileSeen();
})();
`;
