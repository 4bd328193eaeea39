// What the page of one portal does: it takes in what has changed, part by part, and shows its home to the chosen visitor.
// What is put in as HTML was escaped by the template, and the policy lets nothing else run.
import { find, lookFor } from "../../../lib/client/find.js";
import { stayLive } from "./live.js";
import { tellTimes } from "./times.js";

const TIMES_MS = 15_000;

const { stamp, key } = JSON.parse(find("data", HTMLElement).textContent) as Record<
  "stamp" | "key",
  string
>;
const parts = () => [...document.querySelectorAll<HTMLElement>(".part")];
/** As the server sent them, before the script told the times. */
const sent = new Map(parts().map((part) => [part.id, part.innerHTML]));
const SHEET = /<style>([^]*?)<\/style>/;
let viewer = "anonymous";
let worn = document.querySelector("style")?.textContent ?? "";

/** Only what is another is put in anew, so that what somebody reads or has opened stays. */
async function takeIn(): Promise<void> {
  const answer = await fetch(location.pathname);
  if (answer.redirected || answer.status === 404 || answer.status === 401) return location.reload();
  if (!answer.ok) return;
  const text = await answer.text();
  // The policy of this page knows no other sheet, not even where it is only read.
  const page = new DOMParser().parseFromString(text.replace(SHEET, ""), "text/html");
  wear(SHEET.exec(text)?.[1] ?? "");
  const titles: string[] = [];
  for (const part of parts()) {
    const now = page.getElementById(part.id);
    if (!now || now.innerHTML === sent.get(part.id)) continue;
    sent.set(part.id, now.innerHTML);
    put(part, now);
    titles.push(part.ariaLabel ?? "");
  }
  tellTimes();
  showHome();
  const told = titles.filter(Boolean);
  if (told.length > 0) find("said", HTMLElement).textContent = `Changed: ${told.join(", ")}.`;
}

/** The colours of banners, which may be others by now: a sheet that a script puts together needs no leave of the policy. */
function wear(style: string): void {
  if (style === worn) return;
  worn = style;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(style);
  document.adoptedStyleSheets = [sheet];
}

function put(part: HTMLElement, now: HTMLElement): void {
  const open = new Set(
    [...part.querySelectorAll<HTMLDetailsElement>("details[open]")].map(({ id }) => id),
  );
  part.innerHTML = now.innerHTML;
  part.hidden = now.hidden;
  for (const each of part.querySelectorAll("details")) each.open = open.has(each.id);
}

/** The parts of the page that are put in bring the first visitor with them. */
function showHome(): void {
  const viewers = lookFor("viewers", HTMLFieldSetElement);
  const frame = lookFor("home", HTMLIFrameElement);
  if (!viewers || !frame) return;
  viewers.hidden = false;
  for (const input of viewers.querySelectorAll<HTMLInputElement>("input")) {
    input.checked = input.value === viewer;
    const address = input.dataset["address"] ?? "";
    if (!input.checked || frame.getAttribute("src") === address) continue;
    frame.src = address;
    frame.title = `The portal’s home, for: ${viewer}`;
  }
}

document.addEventListener("change", ({ target }) => {
  if (!(target instanceof HTMLInputElement) || target.name !== "viewer") return;
  viewer = target.value;
  showHome();
});
tellTimes();
showHome();
setInterval(tellTimes, TIMES_MS);

// One after the other, and once more where something changed meanwhile.
let taking: Promise<void> | undefined;
let isDue = false;
async function takeInSoon(): Promise<void> {
  isDue = true;
  taking ??= (async () => {
    while (isDue) {
      isDue = false;
      // Where the server does not answer, the stream says so.
      await takeIn().catch(() => undefined);
    }
  })();
  await taking;
  taking = undefined;
}

stayLive(stamp, (from) => `/events?${new URLSearchParams({ since: from, portal: key })}`, {
  changed: () => void takeInSoon(),
});
