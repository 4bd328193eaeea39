// Listens to the server's events while the page is visible, and reconnects when the connection breaks.

const RETRY_MS = 3_000;

interface Stream {
  /** Where to listen; `stamp` is the id of the last event. */
  readonly address: (stamp: string) => string;
  /** What the page knows before the first event. */
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
      // A browser gives up where the answer is no stream, as that of a proxy whose server is away.
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

  // A browser opens six connections to a server: hidden pages must not hold them all.
  function openWhileSeen(): void {
    source?.close();
    source = undefined;
    if (!document.hidden) open();
  }
  document.addEventListener("visibilitychange", openWhileSeen);
  openWhileSeen();
}
