// The script of every dashboard page: updates the parts that changed, and shows times by the reader's clock.
// Inserted HTML was escaped by the template, and the content security policy blocks injected scripts.
import { find } from "../../../lib/client/find.js";
import { listen } from "../../../lib/client/stream.js";
import { tellTimes } from "./times.js";
import { enableCopying } from "./views.js";

const TIMES_MS = 15_000;
/** The pause between two requests for changes. */
const REST_MS = 100;

const { stamp = "", portal } = JSON.parse(find("data", HTMLElement).textContent) as {
  readonly stamp?: string;
  readonly portal?: string;
};
const parts = () => [...document.querySelectorAll<HTMLElement>(".part")];
/** As the server sent them, before the script changed the times. */
const sent = new Map(parts().map((part) => [part.id, part.innerHTML]));
const SHEET = /<style>([^]*?)<\/style>/;
let worn = document.querySelector("style")?.textContent ?? "";

/** Replaces only changed parts, so that text selections and open details stay. */
async function update(): Promise<void> {
  const answer = await fetch(location.href);
  if (answer.redirected || answer.status === 404 || answer.status === 401) return location.reload();
  // During an outage, an error page still contains the banner.
  if (!answer.ok && answer.status !== 503) return;
  const text = await answer.text();
  // The policy blocks other style elements, even in a document that is only parsed.
  const page = new DOMParser().parseFromString(text.replace(SHEET, ""), "text/html");
  wear(SHEET.exec(text)?.[1] ?? "");
  const changed = parts().filter((part) => {
    const now = page.getElementById(part.id);
    if (!now || now.innerHTML === sent.get(part.id)) return false;
    sent.set(part.id, now.innerHTML);
    replace(part, now);
    return true;
  });
  tellTimes();
  document.dispatchEvent(new Event("updated"));
  const titles = changed.flatMap(({ ariaLabel }) => ariaLabel ?? []);
  if (titles.length > 0)
    find("announcement", HTMLElement).textContent = `Changed: ${titles.join(", ")}.`;
}

/** The policy allows constructed style sheets. */
function wear(style: string): void {
  if (style === worn) return;
  worn = style;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(style);
  document.adoptedStyleSheets = [sheet];
}

/** Keeps open details, focus and typed values; all are found by id. */
function replace(part: HTMLElement, now: HTMLElement): void {
  const open = [...part.querySelectorAll<HTMLDetailsElement>("details[open]")].map(({ id }) => id);
  const focused = part.contains(document.activeElement) ? document.activeElement?.id : undefined;
  const fields = [...part.querySelectorAll<HTMLInputElement>("input[id], select[id]")];
  const checked = fields.filter((field) => field.checked).map(({ id }) => id);
  part.innerHTML = now.innerHTML;
  part.hidden = now.hidden;
  for (const { id, value } of fields) {
    const field = document.getElementById(id);
    if (field instanceof HTMLInputElement || field instanceof HTMLSelectElement)
      field.value = value;
  }
  for (const field of part.querySelectorAll<HTMLInputElement>("input[type=checkbox]"))
    field.checked = checked.includes(field.id);
  for (const each of part.querySelectorAll("details")) each.open ||= open.includes(each.id);
  if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
}

// One update at a time, and another one if something changed meanwhile.
let isDue = false;
let isRunning = false;
async function updateSoon(): Promise<void> {
  isDue = true;
  if (isRunning) return;
  isRunning = true;
  while (isDue) {
    isDue = false;
    // If the server does not answer, the stream reports it.
    await update().catch(() => undefined);
    await new Promise((done) => setTimeout(done, REST_MS));
  }
  isRunning = false;
}
document.addEventListener("update", () => void updateSoon());

enableCopying();
const live = find("live", HTMLElement);
tellTimes();
setInterval(tellTimes, TIMES_MS);
listen({
  stamp,
  address: (since) => `/events?${new URLSearchParams({ since, ...(portal && { portal }) })}`,
  on: { changed: () => void updateSoon() },
  onLive(isLive) {
    const word = isLive ? "Live" : "Not live: the server does not answer. Reconnecting…";
    // A screen reader would repeat text that is set again.
    if (live.textContent !== word) live.textContent = word;
    document.body.classList.toggle("is-live", isLive);
  },
});

/** The list follows the user's typing, and the address stays a link to it. */
const TYPING_MS = 150;
let typing: ReturnType<typeof setTimeout> | undefined;
function search(form: HTMLFormElement): void {
  const entries = [...new FormData(form)].filter(([, value]) => value !== "") as [string, string][];
  const query = new URLSearchParams(entries);
  history.replaceState(null, "", `${location.pathname}${query.size > 0 ? `?${query}` : ""}`);
  void updateSoon();
}
document.addEventListener("input", ({ target }) => {
  const form = target instanceof Element ? target.closest<HTMLFormElement>("form#search") : null;
  if (!form) return;
  clearTimeout(typing);
  typing = setTimeout(() => search(form), TYPING_MS);
});
document.addEventListener("change", ({ target }) => {
  if (!(target instanceof HTMLInputElement) || target.id !== "select-all") return;
  for (const box of document.querySelectorAll<HTMLInputElement>("input[name=portal]"))
    box.checked = target.checked;
});
document.addEventListener("submit", (event) => {
  if (!(event.target instanceof HTMLFormElement) || event.target.id !== "search") return;
  event.preventDefault();
  clearTimeout(typing);
  search(event.target);
});
