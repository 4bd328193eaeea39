// Listens to the server's events while the page is visible, and reconnects when the connection breaks.

const RETRY_MS = 3_000;

interface Stream {
  /** The address of the stream; `stamp` is the id of the last event. */
  readonly address: (stamp: string) => string;
  /** The last event that the page already includes. */
  readonly stamp?: string;
  readonly onLive: (isLive: boolean) => void;
  /** By the name of the event. */
  readonly on: Readonly<Record<string, (data: string) => void>>;
}

export function listen({ address, stamp: first = "", onLive, on }: Stream): void {
  let stamp = first;
  let source: EventSource | undefined;

  function open(): void {
    const own = new EventSource(address(stamp));
    source = own;
    own.addEventListener("open", () => onLive(true));
    own.addEventListener("error", () => {
      onLive(false);
      // A browser stops if the answer is no stream, as from a proxy whose server is down.
      if (own.readyState !== EventSource.CLOSED) return;
      setTimeout(() => source === own && open(), RETRY_MS);
    });
    for (const [name, action] of Object.entries(on)) {
      own.addEventListener(name, (event) => {
        const { data, lastEventId } = event as MessageEvent<string>;
        stamp = lastEventId;
        action(data);
      });
    }
  }

  // A browser opens six connections to a server, so hidden pages must not hold them.
  function openWhileSeen(): void {
    source?.close();
    source = undefined;
    if (!document.hidden) open();
  }
  document.addEventListener("visibilitychange", openWhileSeen);
  openWhileSeen();
}
