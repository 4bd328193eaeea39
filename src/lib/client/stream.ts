// The server's events → calls, and a word whether the page is up to date: connections are made anew, and none is held by a page that nobody looks at.
import { find } from "./find.js";

const RETRY_MS = 3_000;

interface Heard {
  /** Where to listen, and what the page knows already. */
  readonly address: (stamp: string) => string;
  readonly stamp: string;
  /** By the name of the event. */
  readonly on: Readonly<Record<string, (data: string) => void>>;
}

export function listen({ address, stamp: first, on }: Heard): void {
  const live = find("live", HTMLElement);
  let stamp = first;
  let source: EventSource | undefined;

  function say(word: string, isLive: boolean): void {
    // A reader says again what is put in again.
    if (live.textContent !== word) live.textContent = word;
    document.body.classList.toggle("is-live", isLive);
  }

  function open(): void {
    const own = new EventSource(address(stamp));
    source = own;
    own.addEventListener("open", () => say("Live", true));
    own.addEventListener("error", () => {
      say("Not up to date: the server does not answer. Trying again …", false);
      // A browser gives up where the answer is no stream, as that of a proxy whose server is away.
      if (own.readyState !== EventSource.CLOSED) return;
      setTimeout(() => source === own && open(), RETRY_MS);
    });
    own.addEventListener("anew", () => location.reload());
    for (const [name, action] of Object.entries(on)) {
      own.addEventListener(name, (event) => {
        const { data, lastEventId } = event as MessageEvent<string>;
        stamp = lastEventId;
        action(data);
      });
    }
  }

  // A browser opens six connections to a server: pages that nobody looks at must not hold them all.
  function openWhileSeen(): void {
    source?.close();
    source = undefined;
    if (!document.hidden) open();
  }
  document.addEventListener("visibilitychange", openWhileSeen);
  openWhileSeen();
}
