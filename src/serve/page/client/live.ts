// Keeps a page of serve up to date, and shows whether it is.
import { find } from "../../../lib/client/find.js";
import { listen } from "../../../lib/client/stream.js";

/** `stamp`: what the page knows already. `on`: by the name of the event. */
export function stayLive(
  stamp: string,
  address: (stamp: string) => string,
  on: Readonly<Record<string, (data: string) => void>>,
): void {
  const live = find("live", HTMLElement);
  listen({
    stamp,
    address,
    on: { ...on, anew: () => location.reload() },
    onLive(isLive) {
      const word = isLive ? "Live" : "Not up to date: the server does not answer. Trying again …";
      // A reader says again what is put in again.
      if (live.textContent !== word) live.textContent = word;
      document.body.classList.toggle("is-live", isLive);
    },
  });
}
