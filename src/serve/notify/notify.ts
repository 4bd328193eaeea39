// What was recorded → told to webhooks, each at its own pace, again and again until it is taken or too old. Nobody waits for it.
import type { Config, Webhook } from "../config/config.js";
import type { EventStore } from "../events/event-store.js";
import type { Event } from "../news/event.js";
import { helpHere, type News } from "../news/news.js";
import { openAlarm } from "../alarm.js";
import { batchOf, GIVEN_UP_AFTER_MS, MOST_READ, type Batch } from "./batch.js";
import { messageOf } from "./message.js";
import { post, type Refusal } from "./post.js";
import { caught } from "../../failure.js";
import type { Http } from "../../http/http.js";
import type { Io } from "../../io.js";
import { backOffMs } from "../../lib/retry.js";
import { DAY_MS, MINUTE_MS } from "../../moment.js";
import { counted } from "../../lib/text.js";

export interface Notifying extends Pick<Config, "notify"> {
  readonly io: Io;
  readonly store: Pick<EventStore, "pending" | "acknowledge">;
  /** Tries each call once. */
  readonly http: Pick<Http, "call">;
  readonly tell: (news: News) => void;
  /** Of several processes that could, one tells; always, when left out. */
  readonly isTurn?: () => boolean;
  /** Where others record, it looks for itself so often. */
  readonly lookEveryMs?: number;
}

export interface Notifier {
  readonly names: readonly string[];
  /** Something was recorded. */
  ring(): void;
  /** Until the run is interrupted; what is not told by then is told by the next run. */
  run(): Promise<void>;
}

/** Whatever is more than this goes into the next message. */
const MOST_TOGETHER = 100;
const WAITS = { leastMs: 10_000, mostMs: 30 * MINUTE_MS };
/** A receiver that asks for more is asked once in a while all the same. */
const MOST_ASKED_MS = 6 * 60 * MINUTE_MS;

export function openNotifier(notifying: Notifying): Notifier {
  const receivers = notifying.notify.map((webhook) => openReceiver(webhook, notifying));
  return {
    names: notifying.notify.map(({ name }) => name),
    ring: () => receivers.forEach((each) => each.ring()),
    run: async () => {
      await Promise.all(receivers.map((each) => each.run()));
    },
  };
}

function openReceiver(webhook: Webhook, notifying: Notifying) {
  const { io, store, tell, isTurn = () => true, lookEveryMs = DAY_MS } = notifying;
  const { name } = webhook;
  const alarm = openAlarm(io);
  const isMeant = ({ kind }: Event) => (webhook.events as readonly string[]).includes(kind);
  let [most, failures, lost, notBeforeMs] = [MOST_TOGETHER, 0, 0, 0];
  let [toldMs, refusedMs] = [-Infinity, -Infinity];

  /** When to look again. */
  async function step(): Promise<number> {
    const nowMs = io.now();
    if (!isTurn()) return Infinity;
    // Unless the clock was put back meanwhile.
    if (nowMs >= refusedMs && nowMs < notBeforeMs) return notBeforeMs;
    const read = await store.pending(name, MOST_READ);
    const batch = batchOf(read, { isMeant, most, nowMs, toldMs, mayGiveUp: failures > 0 });
    if (typeof batch === "number") return batch;
    const refusal = batch.isTooOld ? undefined : await send(batch, nowMs);
    if (refusal) return refused(refusal, batch.tells.length);
    const ids = batch.settles.map(({ id }) => id);
    await store.acknowledge(name, ids);
    if (batch.isTooOld) givenUp(batch.tells.length);
    else if (batch.tells.length > 0) taken();
    return io.now();
  }

  async function send({ tells: events }: Batch, nowMs: number): Promise<Refusal | undefined> {
    if (events.length === 0) return undefined;
    const { form, secret } = webhook;
    const message = messageOf({ form, events, lost }, secret, nowMs);
    return post(notifying.http, webhook, message, nowMs);
  }

  function taken(): void {
    toldMs = io.now();
    if (failures > 0) tell(news(`The webhook "${name}" takes what it is told again.`));
    [most, failures, lost, notBeforeMs] = [MOST_TOGETHER, 0, 0, 0];
  }

  function refused({ failure, askedMs = 0, isTooLong }: Refusal, size: number): number {
    if (isTooLong && size > 1) {
      most = Math.floor(size / 2);
      return io.now();
    }
    if (failures === 0) {
      const message = `The webhook "${name}" could not be told, and is tried again: ${failure.message}`;
      tell({ ...news(message), help: helpHere(failure) });
    }
    failures++;
    const waitMs = backOffMs(failures, WAITS, io.random());
    refusedMs = io.now();
    notBeforeMs = refusedMs + Math.max(waitMs, Math.min(askedMs, MOST_ASKED_MS));
    return notBeforeMs;
  }

  function givenUp(events: number): void {
    lost += events;
    const days = GIVEN_UP_AFTER_MS / DAY_MS;
    const why = `because it has taken nothing for ${days} days`;
    if (events > 0)
      tell(news(`The webhook "${name}" is not told of ${counted(events, "event")}, ${why}.`));
  }

  return {
    ring: () => alarm.ring(),
    async run(): Promise<void> {
      while (!io.signal.aborted) {
        const nextMs = await step().catch((error: unknown) =>
          refused({ failure: caught(error, io), isTooLong: false }, 0),
        );
        // No timer is more patient than that.
        await alarm.wait(Math.min(nextMs, io.now() + lookEveryMs));
      }
    },
  };
}

function news(message: string): News {
  return { kind: "notice", message, isProblem: true };
}
