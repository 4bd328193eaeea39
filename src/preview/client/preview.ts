// The script of the preview's page: shows the home page of the selected file and visitor, and follows the file.
// Texts are set as text. HTML was escaped by the template, and the content security policy blocks injected scripts.
import { find, lookFor } from "../../lib/client/find.js";
import { listen } from "../../lib/client/stream.js";
import type { Card, Home, CardUpdates } from "./updates.js";

const DESKTOP = 1024;
const PHONE = 560;

const files = find("file", HTMLSelectElement);
const stage = find("stage", HTMLElement);
const facts = find("facts", HTMLElement);
const status = find("status", HTMLElement);
const fold = find("fold", HTMLElement);
/** All previews of a page without a server. */
const data = lookFor("data", HTMLElement);

let cards: Card[] = [];
let isLost = false;
const frame = find("home", HTMLIFrameElement);
const glass = find("glass", HTMLElement);
/** The selected home page, and the last one in the frame. */
let home: Home | undefined;
let shown: string | undefined;
/** The visitor's answer, and whether the launcher is open. */
let answer: "asked" | "accepted" | "declined" = "asked";
let isOpen = false;

function chosen(name: string): string {
  return document.querySelector<HTMLInputElement>(`input[name=${name}]:checked`)?.value ?? "";
}

function list(file: string | undefined): void {
  const nameOf = ({ isWrong, file }: Card) => `${isWrong ? "✕ " : ""}${file}`;
  files.replaceChildren(...cards.map((card, at) => new Option(nameOf(card), String(at))));
  files.selectedIndex = Math.max(
    cards.findIndex((card) => card.file === file),
    0,
  );
  document.body.classList.toggle("single", cards.length < 2);
}

function put(id: string, content: string): void {
  const place = find(id, HTMLElement);
  if (place.innerHTML !== content) place.innerHTML = content;
  place.hidden = content === "";
}

function say(text: string, isBad: boolean): void {
  // A screen reader would repeat text that is set again.
  if (status.textContent !== text) status.textContent = text;
  status.className = isBad ? "bad" : "";
}

function show(): void {
  if (isLost) say("The preview has ended. Start it again to follow the file.", true);
  const card = cards[files.selectedIndex];
  if (!card) return;
  const [viewer, screen] = [chosen("viewer"), chosen("screen")];
  document.title = `${card.isWrong ? "✕ " : ""}${card.file} – Lintel preview`;
  if (!isLost) say(card.status, card.isWrong);
  put("problems", card.problems);
  put("warnings", card.warnings);
  put("facts", card.facts);
  stage.dataset["screen"] = screen;
  stage.classList.toggle("before", card.isWrong || isLost);
  facts.classList.toggle("before", card.isWrong || isLost);
  find("empty", HTMLElement).hidden = card.homes !== null;
  fold.textContent = [...(cards.length > 1 ? [card.file] : []), viewer, screen].join(" · ");
  home = card.homes?.[viewer];
  glass.hidden = card.homes === null;
  fit();
  // A request to a stopped server would show an error page in the frame.
  if (isLost || !home) return;
  frame.title = `The portal’s home, for: ${viewer}`;
  showHome(home);
}

function showHome(home: Home): void {
  if (!("address" in home)) {
    const text = home[answer] ?? home.asked ?? "";
    if (text !== shown) frame.srcdoc = text;
    shown = text;
    return;
  }
  // Null for the browser's own error page, which scripts cannot read.
  const inside = frame.contentDocument;
  if (inside?.location.pathname !== home.address) go(home.address);
  else if (home.stamp !== shown) inside.location.reload();
  shown = home.stamp;
}

/** Replaces the address, so that "back" never shows a home page that is no longer selected. */
function go(address: string): void {
  frame.contentWindow?.location.replace(address);
}

/** On a small screen, the home page keeps its desktop width and is scaled down. */
function fit(): void {
  const room = glass.clientWidth;
  const isDesktop = chosen("screen") === "wide" && room >= PHONE;
  frame.style.setProperty("--scale", String(isDesktop ? Math.min(1, room / DESKTOP) : 1));
}

function answerWith(value: typeof answer): void {
  answer = value;
  if (data) return show();
  const { pathname } = frame.contentDocument?.location ?? {};
  if (isLost || pathname === undefined) return;
  go(pathname + (value === "asked" ? "" : `?notice=${value}`));
}

function lookInside(): void {
  const inside = frame.contentDocument;
  if (!inside) return;
  const { pathname } = inside.location;
  const isElsewhere = home && "address" in home && pathname !== home.address;
  if (pathname !== "blank" && isElsewhere) show();
  inside.addEventListener("submit", (event) => {
    event.preventDefault();
    answerWith((event.submitter as HTMLButtonElement).value as typeof answer);
  });
  inside.addEventListener("click", (event) => {
    // The element belongs to the frame's window, so instanceof does not work.
    if (!(event.target as Element).closest("a[href]:not([target])")) return;
    event.preventDefault();
    answerWith("asked");
  });
  const apps = inside.querySelector<HTMLDetailsElement>(".site:not([inert]) details");
  if (!apps) return;
  apps.open = isOpen;
  apps.addEventListener("toggle", () => (isOpen = apps.open));
}

function remember(): void {
  const values = new URLSearchParams({
    viewer: chosen("viewer"),
    screen: chosen("screen"),
    file: String(files.selectedIndex),
  });
  history.replaceState(null, "", `#${values}`);
}

function recall(updates: CardUpdates): string | undefined {
  const values = new URLSearchParams(location.hash.slice(1));
  for (const name of ["viewer", "screen"]) {
    const inputs = [...document.querySelectorAll<HTMLInputElement>(`input[name=${name}]`)];
    const input = inputs.find(({ value }) => value === values.get(name));
    if (input) input.checked = true;
  }
  return updates[Number(values.get("file"))]?.[1].file;
}

/** The first message contains all files; other files are no longer followed. */
function take(updates: CardUpdates, isFirst = false): void {
  const file = cards[files.selectedIndex]?.file ?? recall(updates);
  if (isFirst) cards = [];
  for (const [at, card] of updates) cards[at] = card;
  list(file);
  show();
}

document.addEventListener("change", ({ target }) => {
  if (target === files || (target as HTMLInputElement).name === "viewer") {
    answer = "asked";
    isOpen = false;
  }
  remember();
  show();
});
frame.addEventListener("load", lookInside);
new ResizeObserver(fit).observe(glass);
// On a small screen, the choices collapse below the selected one.
fold.addEventListener("click", () => {
  const isFolded = document.body.classList.toggle("folded");
  fold.setAttribute("aria-expanded", String(!isFolded));
});
document.body.classList.add("folded");
if (data) take(JSON.parse(data.textContent) as CardUpdates);
else {
  let isFirst = true;
  listen({
    address: () => "/events",
    onLive(isLive) {
      isLost = !isLive;
      if (isLive) isFirst = true;
      else show();
    },
    on: {
      message(text) {
        take(JSON.parse(text) as CardUpdates, isFirst);
        isFirst = false;
      },
    },
  });
}
