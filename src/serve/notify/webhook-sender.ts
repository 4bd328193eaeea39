// Sends stored events to webhooks, each at its own pace, and retries until they are accepted or too old. Checks do not wait for it.
import type { Config, Webhook } from "../config/config.js";
import { GIVEN_UP_AFTER_MS, type EventStore } from "../events/event-store.js";
import type { Event, LogEvent } from "../events/event.js";
import { helpHere } from "../events/portal-events.js";
import { openWakeUp } from "../wake-up.js";
import { messageOf } from "./webhook-message.js";
import { asFailure, caught, Failure } from "../../failure.js";
import { CallFailure, type Http } from "../../http/http.js";
import { askedDelay } from "../../http/retry.js";
import type { Io } from "../../io.js";
import { backOffMs } from "../../lib/retry.js";
import { DAY_MS, MINUTE_MS } from "../../moment.js";
import { counted } from "../../lib/text.js";

export interface SenderOptions extends Pick<Config, "notify"> {
  readonly io: Io;
  readonly store: Pick<EventStore, "pending" | "acknowledge">;
  /** Tries each call once. */
  readonly http: Pick<Http, "call">;
  readonly report: (event: LogEvent) => void;
  /** Whether this process sends, if several could; true by default. */
  readonly isSender?: () => boolean;
  /** How often to read events that other processes stored. */
  readonly pollEveryMs?: number;
}

export interface WebhookSender {
  readonly names: readonly string[];
  /** Called after events were stored. */
  wake(): void;
  /** Runs until it is interrupted. The next run sends the rest. */
  run(): Promise<void>;
}

/** Events are sent after a second without new ones. Those of one minute form one message. */
const CALM_MS = 1_000;
const GROUP_MS = MINUTE_MS;
/** The limit of pending events in one read. */
const MOST_READ = 500;
/** The limit of events in one message. */
const MOST_TOGETHER = 100;
const WAITS = { leastMs: 10_000, mostMs: 30 * MINUTE_MS };
/** The longest wait that a webhook can ask for. */
const MOST_ASKED_MS = 6 * 60 * MINUTE_MS;

export function openWebhookSender(options: SenderOptions): WebhookSender {
  const webhooks = options.notify.map((webhook) => new WebhookQueue(webhook, options));
  return {
    names: options.notify.map(({ name }) => name),
    wake: () => webhooks.forEach((each) => each.wake()),
    run: async () => {
      await Promise.all(webhooks.map((each) => each.run()));
    },
  };
}

/** Sends the events of one webhook. */
class WebhookQueue {
  readonly #webhook: Webhook;
  readonly #options: SenderOptions;
  readonly #wakeUp: ReturnType<typeof openWakeUp>;
  #most = MOST_TOGETHER;
  #failures = 0;
  /** The events that were dropped since the last message. */
  #lost = 0;
  #sentMs = -Infinity;
  #refusedMs = -Infinity;
  #notBeforeMs = 0;

  constructor(webhook: Webhook, options: SenderOptions) {
    this.#webhook = webhook;
    this.#options = options;
    this.#wakeUp = openWakeUp(options.io);
  }

  wake(): void {
    this.#wakeUp.wake();
  }

  async run(): Promise<void> {
    const { io, pollEveryMs = DAY_MS } = this.#options;
    while (!io.signal.aborted) {
      const nextMs = await this.#sendNext().catch((error: unknown) =>
        this.#refused({ failure: caught(error, io), isTooLong: false }, 0),
      );
      await this.#wakeUp.wait(Math.min(nextMs, io.now() + pollEveryMs));
    }
  }

  /**
   * Sends a batch that is ready, and returns when to try next. The cursor moves when events are accepted or dropped.
   */
  async #sendNext(): Promise<number> {
    const { io, store, isSender = () => true } = this.#options;
    const { name, events } = this.#webhook;
    const nowMs = io.now();
    if (!isSender()) return Infinity;
    // Unless the clock was set back meanwhile.
    if (nowMs >= this.#refusedMs && nowMs < this.#notBeforeMs) return this.#notBeforeMs;
    const batch = nextBatch(await store.pending(name, MOST_READ), {
      isWanted: ({ kind }) => (events as readonly string[]).includes(kind),
      most: this.#most,
      nowMs,
      sentMs: this.#sentMs,
      mayGiveUp: this.#failures > 0,
    });
    if (typeof batch === "number") return batch;
    if (!batch.isTooOld && batch.wanted.length > 0) {
      const refusal = await this.#post(batch.wanted, nowMs);
      if (refusal) return this.#refused(refusal, batch.wanted.length);
    }
    await store.acknowledge(
      name,
      batch.passed.map(({ id }) => id),
    );
    if (batch.isTooOld) this.#gaveUp(batch.wanted.length);
    else if (batch.wanted.length > 0) this.#taken();
    return io.now();
  }

  /** Undefined if it was accepted. */
  async #post(events: readonly Event[], nowMs: number): Promise<Refusal | undefined> {
    const { name, url, written, form, secret } = this.#webhook;
    const message = messageOf({ form, events, lost: this.#lost }, secret, nowMs);
    try {
      const answer = await this.#options.http.call({
        method: "POST",
        url,
        ...(written !== undefined && { written }),
        headers: message.headers,
        body: { text: message.body, contentType: "application/json; charset=utf-8" },
        // Each event has an ID, by which a receiver recognises a repeated one.
        repeats: "freely",
        // So that the cursor moves past accepted events.
        mustFinish: true,
      });
      const { status } = answer;
      if (status >= 200 && status < 300) return undefined;
      const help = "Check its address, its secret and the log of the receiver.";
      const failure = new Failure("not-taken", `The webhook "${name}" answered ${status}.`, help);
      return { failure, askedMs: askedDelay(answer, nowMs), isTooLong: status === 413 };
    } catch (error) {
      const failure = asFailure(error, false);
      const askedMs = error instanceof CallFailure ? error.askedMs : undefined;
      return { failure, askedMs, isTooLong: false };
    }
  }

  #taken(): void {
    this.#sentMs = this.#options.io.now();
    if (this.#failures > 0) this.#report(`The webhook "${this.#webhook.name}" works again.`);
    this.#most = MOST_TOGETHER;
    this.#failures = 0;
    this.#lost = 0;
    this.#notBeforeMs = 0;
  }

  #refused({ failure, askedMs = 0, isTooLong }: Refusal, size: number): number {
    const { io } = this.#options;
    if (isTooLong && size > 1) {
      this.#most = Math.floor(size / 2);
      return io.now();
    }
    if (this.#failures === 0)
      this.#report(
        `The webhook "${this.#webhook.name}" failed and is retried: ${failure.message}`,
        helpHere(failure),
      );
    this.#failures++;
    const waitMs = backOffMs(this.#failures, WAITS, io.random());
    this.#refusedMs = io.now();
    this.#notBeforeMs = this.#refusedMs + Math.max(waitMs, Math.min(askedMs, MOST_ASKED_MS));
    return this.#notBeforeMs;
  }

  #gaveUp(events: number): void {
    this.#lost += events;
    const days = GIVEN_UP_AFTER_MS / DAY_MS;
    const what = `${counted(events, "event")} that it did not accept for ${days} days`;
    if (events > 0) this.#report(`The webhook "${this.#webhook.name}" does not get ${what}.`);
  }

  #report(message: string, help?: string): void {
    this.#options.report({ kind: "notice", message, help, isProblem: true });
  }
}

interface Refusal {
  readonly failure: Failure;
  readonly askedMs?: number | undefined;
  /** A shorter message may be accepted. */
  readonly isTooLong: boolean;
}

interface Batch {
  /** The cursor moves past these. */
  readonly passed: readonly Event[];
  /** The events among them for this webhook. */
  readonly wanted: readonly Event[];
  readonly isTooOld: boolean;
}

interface BatchOptions {
  readonly isWanted: (event: Event) => boolean;
  readonly most: number;
  readonly nowMs: number;
  /** When the last message was accepted. */
  readonly sentMs: number;
  readonly mayGiveUp: boolean;
}

/** The next batch of pending events, or when to read again: Infinity if none is pending. */
function nextBatch(
  pending: readonly Event[],
  { isWanted, most, nowMs, sentMs, mayGiveUp }: BatchOptions,
): Batch | number {
  const old = mayGiveUp
    ? pending.findLastIndex(({ timeMs }) => timeMs < nowMs - GIVEN_UP_AFTER_MS) + 1
    : 0;
  if (old > 0) {
    const passed = pending.slice(0, old);
    return { passed, wanted: passed.filter(isWanted), isTooOld: true };
  }
  const wanted = pending.filter(isWanted);
  const [first, last] = [wanted[0], wanted.at(-1)];
  if (!first || !last) {
    // Acknowledges events of other kinds, so that they do not fill the next read.
    return pending.length < MOST_READ ? Infinity : { passed: pending, wanted: [], isTooOld: false };
  }
  // After the clock was set back, events must not wait for the old time.
  const sinceMs = (ms: number) => (ms > nowMs ? -Infinity : ms);
  const calmMs = Math.min(sinceMs(first.timeMs) + GROUP_MS, sinceMs(last.timeMs) + CALM_MS);
  const readyMs = Math.max(calmMs, sinceMs(sentMs) + GROUP_MS);
  if (wanted.length < most && readyMs > nowMs) return readyMs;
  const batch = wanted.slice(0, most);
  const end = pending.indexOf(batch.at(-1) ?? first) + 1;
  return { passed: pending.slice(0, end), wanted: batch, isTooOld: false };
}
