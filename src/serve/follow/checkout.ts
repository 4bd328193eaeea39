// Keeps the checkout of the files up to date: fetches its upstream every 30 seconds, and moves it forward.
import { comingMs } from "../due.js";
import { openPull, type Pulled } from "./pull.js";
import { endSoon } from "../places.js";
import type { News } from "../news/news.js";
import { pulled as newsOfPull } from "../news/run-news.js";
import type { Io } from "../../io.js";

export interface Checkout {
  /** When to look again. */
  readonly nextMs: number;
  /** Its files are being written. */
  readonly isMoving: boolean;
  /** Why it may not be at its newest, where that is so. */
  readonly stuck: string | undefined;
  look(): Promise<Pulled>;
  /** The first look, for which everything waits but an interrupt. */
  begin(): Promise<void>;
  /** What came of a look that was begun at that moment or later. */
  since(ms: number): Promise<Pulled>;
  /** A move that was begun is finished, as far as that ends soon: nobody else can say where it was left. */
  end(): Promise<void>;
}

interface Following {
  /** What it comes to where the checkout is stuck, as a sentence. */
  readonly meanwhile: string;
  readonly tell: (news: News) => void;
  readonly moved: () => void;
}

/** How often the upstream is fetched. */
const EVERY_MS = 30_000;
/** Long enough for whatever was about to be read. */
const BEFORE_MOVE_MS = 250;

export function openCheckout(
  io: Io,
  folder: string,
  { meanwhile, tell, moved }: Following,
): Checkout {
  let [nextMs, isMoving, stuck] = [0, false, ""];
  const beforeMove = async () => {
    isMoving = true;
    // Interrupted, git moves nothing any more.
    await io.sleep(BEFORE_MOVE_MS, io.signal).catch(() => undefined);
  };
  const pull = openPull(io, folder, beforeMove, (pulled) => {
    isMoving = false;
    if (io.signal.aborted) return;
    const news = newsOfPull(pulled, stuck, meanwhile);
    if (news) tell(news);
    stuck = pulled.is === "stuck" ? pulled.why : "";
    moved();
  });
  const look = () => {
    nextMs = io.now() + EVERY_MS;
    return pull.since(io.now());
  };
  return {
    get nextMs() {
      return comingMs(nextMs, io.now(), EVERY_MS);
    },
    get isMoving() {
      return isMoving;
    },
    get stuck() {
      return stuck || undefined;
    },
    look,
    begin: () =>
      new Promise((done, fail) => {
        io.signal.addEventListener("abort", () => done(), { once: true });
        look().then(() => done(), fail);
      }),
    since: (ms) => pull.since(ms),
    end: () => endSoon(io, [pull.atRest()]),
  };
}
