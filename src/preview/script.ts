// What the preview's page does: it shows the chosen file's home to the chosen visitor, and follows the file.

// Texts are put in as text; what is put in as HTML was escaped by the template, and the policy lets nothing else run.
export const SCRIPT = `"use strict";
(() => {
  const find = (id) => document.getElementById(id);
  const [files, stage, problems, warnings, facts, status, fold, compare] = ["file", "stage", "problems", "warnings", "facts", "status", "fold", "compare"].map(find);
  const DESKTOP = 1024, PHONE = 560, RETRY_MS = 3000;
  const data = find("data");
  let cards = [];
  let isLost = false;

  /** A frame that shows a home: what the visitor answered there, and whether the launcher is open. */
  const pane = (frame, glass) => ({ frame, glass, shown: undefined, home: null, answer: "asked", isOpen: false });
  const wanted = pane(find("home"), find("glass"));
  // Absent where no portal is looked at.
  const live = compare && pane(find("live-home"), find("live-glass"));
  const panes = live ? [wanted, live] : [wanted];

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
    stage.className = [card.isWrong || isLost ? "before" : "", isLost ? "ended" : ""].join(" ").trim();
    facts.className = card.isWrong || isLost ? "before" : "";
    find("empty").hidden = card.homes !== null;
    fold.textContent = [cards.length > 1 ? card.file : "", name, chosen("screen")].filter((each) => each !== "").join(" · ");
    const isComparing = live !== null && compare.checked;
    document.body.classList.toggle("comparing", isComparing);
    if (live) put(find("live-note"), card.live.note);
    showIn(wanted, card.homes, "The portal’s home, for: " + name);
    if (isComparing) showIn(live, card.live.homes, "The live portal’s home, for: " + name);
  }

  function showIn(pane, homes, title) {
    pane.home = homes && homes[chosen("viewer")];
    pane.glass.hidden = homes === null;
    fit(pane);
    // What is asked of a server that has gone leaves an error page in the frame.
    if (isLost || homes === null) return;
    pane.frame.title = title;
    showHome(pane);
  }

  function showHome(pane) {
    const { frame, home, answer } = pane;
    if (home.address === undefined) {
      const text = home[answer] || home.asked;
      if (text !== pane.shown) frame.srcdoc = text;
      pane.shown = text;
      return;
    }
    // null where the frame holds the browser's own error page, of which nothing can be asked.
    const inside = frame.contentDocument;
    if (!inside || inside.location.pathname !== home.address) go(frame, home.address);
    else if (home.stamp !== pane.shown) inside.location.reload();
    pane.shown = home.stamp;
  }

  // Replaced, so that the way back never leads to a home that is no longer chosen.
  function go(frame, address) {
    frame.contentWindow.location.replace(address);
  }

  /** A picture of a desktop stays one where there is less room: the home gets its width, and is drawn smaller. */
  function fit({ frame, glass }) {
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

  function answerWith(pane, value) {
    pane.answer = value;
    if (data) show();
    else if (!isLost) go(pane.frame, pane.frame.contentDocument.location.pathname + (value === "asked" ? "" : "?notice=" + value));
  }

  function lookInside(pane) {
    const inside = pane.frame.contentDocument;
    if (!inside) return;
    const { pathname } = inside.location;
    if (pathname !== "blank" && pane.home?.address && pathname !== pane.home.address) show();
    inside.addEventListener("submit", (event) => {
      event.preventDefault();
      answerWith(pane, event.submitter.value);
    });
    inside.addEventListener("click", (event) => {
      const link = event.target.closest("a[href]:not([target])");
      if (!link) return;
      event.preventDefault();
      answerWith(pane, "asked");
    });
    const apps = inside.querySelector(".site:not([inert]) details");
    if (!apps) return;
    apps.open = pane.isOpen;
    apps.addEventListener("toggle", () => (pane.isOpen = apps.open));
  }

  function remember() {
    const values = { viewer: chosen("viewer"), screen: chosen("screen"), file: files.selectedIndex, ...(compare?.checked && { compare: "yes" }) };
    history.replaceState(null, "", "#" + new URLSearchParams(values));
  }

  function recall() {
    const values = new URLSearchParams(location.hash.slice(1));
    for (const name of ["viewer", "screen"]) {
      const input = [...document.getElementsByName(name)].find((each) => each.value === values.get(name));
      if (input) input.checked = true;
    }
    if (compare) compare.checked = values.has("compare");
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
    if (event.target === files || event.target.name === "viewer") {
      for (const pane of panes) Object.assign(pane, { answer: "asked", isOpen: false });
    }
    remember();
    show();
  });
  for (const pane of panes) {
    pane.frame.addEventListener("load", () => lookInside(pane));
    new ResizeObserver(() => fit(pane)).observe(pane.glass);
  }
  // Where there is little room the choices fold away behind what is chosen.
  fold.addEventListener("click", () => {
    const isFolded = document.body.classList.toggle("folded");
    fold.setAttribute("aria-expanded", String(!isFolded));
  });
  document.body.classList.add("folded");
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
