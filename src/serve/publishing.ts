// Files, again and again → published for the workers of a queue by one process of all that serve; and the queue kept going, until it is interrupted.
import { DAY_MS } from "../moment.js";
import { openAlarm } from "./alarm.js";
import { openLead, type Lead } from "./bundle/lead.js";
import { openPublisher, type Published } from "./bundle/publish.js";
import { openCheckout } from "./follow/checkout.js";
import { openFollowing, type Files, type Following } from "./follow/following.js";
import type { Event } from "./news/event.js";
import type { News } from "./news/news.js";
import * as runNews from "./news/run-news.js";
import { openNotifier, type Notifying } from "./notify/notify.js";
import { nameReceivers, openQueueStore } from "./queue/queue-store.js";
import type { Ask } from "./queue/link.js";
import type { Presence } from "./queue/presence.js";
import type { Queue } from "./queue/queue.js";
import { poolOf, revise } from "./queue/revise.js";
import { openQueueMetrics } from "./queue/standing.js";
import { tick } from "./queue/tick.js";
import * as queueNews from "./news/queue-news.js";
import type { Remember } from "./dashboard/board.js";
import { openStateReader } from "./dashboard/state-reader.js";
import { openRounds, type Round, type Rounds } from "./rounds.js";
import { openSharedBoard } from "./shared-board.js";
import { Failure } from "../failure.js";
import type { Identity } from "../apply/reconcile.js";

/** Events are stored for so long. */
export const KEEP_MS = 90 * DAY_MS;

export interface PublishingRun extends Pick<Notifying, "io" | "http" | "notify"> {
  /** The files meant, as they are now. */
  readonly find: () => Promise<readonly string[]>;
  readonly openRound: () => Round;
  readonly queue: Queue;
  readonly presence: Presence;
  readonly everyMs: number;
  readonly keepMs: number;
  readonly poolOf: (portal: Identity) => string | undefined;
  /** The folder of the checkout to be kept at its newest; absent where nobody asked for that. */
  readonly pullIn?: string | undefined;
  readonly tell: (news: News) => void;
}

const LOOK_EVERY_MS = 1_000;

export function openPublishing(publishing: PublishingRun) {
  const { io, queue, presence, tell, pullIn } = publishing;
  const rounds = openRounds(io, publishing.openRound);
  const alarm = openAlarm(io);
  const following = openFollowing(io, publishing.find, () => undefined);
  const moved = () => {
    following.soon();
    alarm.ring();
  };
  const meanwhile =
    "Workers go on with what was published, and nothing newer than this checkout is published from here until it can be moved.";
  const checkout =
    pullIn === undefined ? undefined : openCheckout(io, pullIn, { meanwhile, tell, moved });
  const lead = openLead(queue.link.schema, () => presence.session());
  const publish = openPublish(publishing, lead);
  const telling = openTelling(publishing, lead);
  const read = openReading({ following, rounds, io, tell });
  let files: Files | undefined;
  let [isAskedToRead, isReady] = [true, false];
  const drains = queueNews.openDrains(tell);
  const shared = openSharedBoard(queue.link);
  const { board } = shared;

  /** What was published names files as they stand in the repository. */
  const fileOf = (key: string) =>
    [...(files?.values() ?? [])].find((each) => each.key === key)?.file;
  const remember = openStateReader(io, rounds);
  return {
    board,
    isReady: () => isReady,
    metrics: openQueueMetrics(queue.link, io),
    remember: (({ key, file }) => remember({ key, file: fileOf(key) ?? file })) satisfies Remember,
    /** Until it is interrupted. `url`: where its page is. */
    async run(url?: string): Promise<void> {
      io.onHangup?.(() => {
        isAskedToRead = true;
        alarm.ring();
      });
      await checkout?.begin();
      const told = telling.run();
      while (!io.signal.aborted) {
        await presence.assure();
        const isResting = !checkout?.isMoving;
        if (isResting && (isAskedToRead || io.now() >= following.nextMs)) {
          const isFirst = files === undefined;
          const isMeant = isAskedToRead;
          isAskedToRead = false;
          files = await read(files, isMeant);
          if (isFirst && files) tell(queueNews.published(files.size, publishing.everyMs, url));
        }
        if (checkout && io.now() >= checkout.nextMs) void checkout.look();
        const current = files;
        if (current && isResting) {
          const withheld = await queue.link.beside(() => publish(current));
          await presence.note({ withheld: withheld ?? checkout?.stuck });
        }
        drains((await tick(queue)).isDraining);
        await shared.read();
        isReady = true;
        await alarm.wait(io.now() + LOOK_EVERY_MS);
      }
      await Promise.all([told, checkout?.end()]);
      await rounds.close();
      await presence.end();
    },
  };
}

interface Reading extends Pick<PublishingRun, "io" | "tell"> {
  readonly following: Following;
  readonly rounds: Rounds;
}

/** Where files cannot be found, those that were read last go on counting. `isMeant`: somebody has asked for it. */
function openReading({ following, rounds, io, tell }: Reading) {
  let unreadable = "";
  return async (before: Files | undefined, isMeant: boolean): Promise<Files | undefined> => {
    const found = await rounds.within((tools) => following.look(tools(io.now()), isMeant));
    if (found instanceof Failure) {
      if (!before) throw found;
      if (unreadable !== found.message) tell(runNews.unreadable(found));
      unreadable = found.message;
      return before;
    }
    if (unreadable !== "") tell(runNews.readable());
    unreadable = "";
    if (found && before && isMeant) tell(runNews.readAgain(before, found));
    return found ?? before;
  };
}

/** Whoever leads tells the webhooks that its own lintel.yaml names. */
function openTelling(publishing: PublishingRun, lead: Lead) {
  return openNotifier({
    ...publishing,
    store: openQueueStore(publishing.queue.link),
    isTurn: () => lead.isHeld(),
    lookEveryMs: LOOK_EVERY_MS,
  });
}

/** Tells what came of it where that is new. Gives why something newer is withheld. */
function openPublish(
  { io, queue, everyMs, keepMs, notify, tell, ...publishing }: PublishingRun,
  lead: Lead,
) {
  const { link, boss, at } = queue;
  let told: readonly Event[] = [];
  /** What whoever leads says of the queue: so often its portals are looked at, and those webhooks are told. */
  const rule = async (ask: Ask) => {
    await ask("UPDATE queue SET every_ms = $1, keep_ms = $2", [everyMs, keepMs]);
    await nameReceivers(
      ask,
      notify.map(({ name }) => name),
    );
  };
  const publisher = openPublisher({
    io,
    database: link,
    place: at.told.shown,
    lead,
    poolOf: publishing.poolOf,
    revised: async (ask, revised) => {
      // First, so that nothing that happens to what is published is recorded for nobody.
      if (lead.isHeld()) await rule(ask);
      told = await revise(ask, revised, io.now());
    },
  });
  let before = "";
  let withheld: string | undefined;
  let isRuled = false;

  return async (files: Files): Promise<string | undefined> => {
    await boss.prepare(poolsIn(files, publishing.poolOf));
    // Another one may have said otherwise meanwhile.
    isRuled &&= lead.isHeld();
    const published = await publisher.look(files);
    if (lead.isHeld() && !isRuled) {
      await link.together(rule);
      isRuled = true;
    }
    if (published.is === "published") told.forEach(tell);
    // Neither tells whether what was withheld is right by now.
    if (published.is === "later" || published.is === "elsewhere") return withheld;
    withheld = published.is === "withheld" ? published.why : undefined;
    const key = keyOf(published);
    const wasWithheld = before.startsWith("withheld");
    const news = key === before ? undefined : queueNews.ofPublished(published, wasWithheld);
    before = key;
    if (news) tell(news);
    return withheld;
  };
}

/** What is as it was is not told again. */
function keyOf(published: Published): string {
  if (published.is === "withheld") return `withheld ${published.why}`;
  return published.is === "published" ? `published ${published.number}` : "";
}

function poolsIn(files: Files, named: PublishingRun["poolOf"]): ReadonlySet<string> {
  return new Set([...files.values()].map(({ portal }) => poolOf({ pool: named(portal) ?? null })));
}
