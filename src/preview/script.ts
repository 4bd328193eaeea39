// What the preview's page does: it shows the chosen file's home to the chosen visitor, and follows the file.

// Texts are put in as text; what is put in as HTML was escaped by the template, and the policy lets nothing else run.
export const SCRIPT = `"use strict";
(() => {
  const find = (id) => document.getElementById(id);
  const [frame, files, stage, problems, facts, status] = ["home", "file", "stage", "problems", "facts", "status"].map(find);
  const cards = [];
  let shown, answer = "asked";

  const chosen = (name) => document.querySelector("input[name=" + name + "]:checked").value;

  function list() {
    const at = files.selectedIndex;
    files.replaceChildren(...cards.map((card, index) => new Option((card.isWrong ? "✕ " : "") + card.file, index)));
    files.selectedIndex = Math.max(at, 0);
  }

  function show() {
    const card = cards[files.selectedIndex];
    if (!card) return;
    const name = chosen("viewer");
    document.title = (card.isWrong ? "✕ " : "") + card.file + " – Lintel preview";
    if (status.textContent !== card.status) status.textContent = card.status;
    status.className = card.isWrong ? "bad" : "";
    problems.innerHTML = card.problems;
    problems.hidden = card.problems === "";
    facts.innerHTML = card.facts;
    stage.className = [chosen("screen"), card.isWrong ? "before" : ""].join(" ");
    find("empty").hidden = card.homes !== null;
    frame.hidden = card.homes === null;
    frame.title = "The portal’s home, for: " + name;
    if (card.homes !== null) showHome(card.homes[name]);
  }

  function showHome(home) {
    if (home.address === undefined) {
      const text = home[answer] || home.asked;
      if (text !== shown) frame.srcdoc = text;
      shown = text;
      return;
    }
    const place = frame.contentWindow.location;
    if (place.pathname !== home.address) place.replace(home.address);
    else if (home.stamp !== shown) place.reload();
    shown = home.stamp;
  }

  function take(news) {
    for (const [at, card] of news) cards[at] = card;
    list();
    show();
  }

  function answerInPlace() {
    const inside = frame.contentDocument;
    inside.addEventListener("submit", (event) => {
      event.preventDefault();
      answer = event.submitter.value;
      show();
    });
    inside.addEventListener("click", (event) => {
      const link = event.target.closest("a[href='#home']");
      if (!link) return;
      event.preventDefault();
      answer = "asked";
      show();
    });
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
    const at = Number(values.get("file"));
    if (cards[at]) files.selectedIndex = at;
  }

  function begin(news) {
    take(news);
    recall();
    document.body.classList.toggle("single", cards.length < 2);
    show();
  }

  document.addEventListener("change", (event) => {
    if (event.target.name !== "screen") answer = "asked";
    remember();
    show();
  });

  const data = find("data");
  if (data) {
    frame.addEventListener("load", answerInPlace);
    begin(JSON.parse(data.textContent));
    return;
  }
  const events = new EventSource("/events");
  events.onmessage = ({ data }) => (cards.length === 0 ? begin : take)(JSON.parse(data));
  events.onopen = () => document.body.classList.remove("lost");
  events.onerror = () => {
    document.body.classList.add("lost");
    status.textContent = "The preview has ended. Start it again to follow the file.";
  };
})();
`;
