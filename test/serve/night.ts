// Runs `serve` in simulated time: the clock moves only once everything else has come to rest.
import { mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { unnamedKeys } from "./keys.js";
import { openStillness } from "./stillness.js";
import { parseWords, readArguments } from "../../src/cli/parse.js";
import { spec, withServing } from "../../src/commands/serve/serve.js";
import type { Io } from "../../src/io.js";
import { stylesFor } from "../../src/report/styles.js";
import type { SandboxOptions } from "../../src/sandbox/options.js";
import { UTC } from "../../src/lib/text.js";
import { call, ioFor } from "../run/call.js";
import { folderOf, OWN_HOSTS } from "../support/run.js";
import { keysOf, openSandbox } from "../support/sandbox.js";

interface Sleeper {
  atMs: number;
  readonly wake: () => void;
}

export interface LogLine {
  readonly time: string;
  readonly event: string;
  readonly portal?: { readonly name: string };
  readonly message: string;
  readonly [more: string]: unknown;
}

type Happening = readonly [atMs: number, action: () => void | Promise<void>];

export async function openNight(startMs: number, options: SandboxOptions = {}) {
  const clock = { nowMs: startMs };
  const sandbox = await openSandbox({ now: () => clock.nowMs, ...options });
  const folder = folderOf();
  onTestFinished(() => folder.remove());
  const env: Record<string, string> = { LINTEL_ALLOWED_HOSTS: OWN_HOSTS, ...keysOf(sandbox) };
  let onHangup = () => {};
  const stillness = openStillness();
  onTestFinished(() => stillness.close());

  /** Returns the events up to a moment, while these things happen. */
  async function serve(
    line: readonly string[],
    untilMs: number,
    happenings: readonly Happening[] = [],
    /** Requests that a portal never answers. */
    hanging: () => number = () => 0,
  ): Promise<LogLine[]> {
    let said = "";
    const sleepers = new Set<Sleeper>();
    const stop = new AbortController();
    const own = ioFor({ cwd: folder.path, env, zone: UTC, signal: stop.signal });
    const io: Io = {
      ...own.io,
      stdout: { write: (text) => void (said += text), isTerminal: false },
      now: () => clock.nowMs,
      random: () => 0.5,
      sleep: (ms, signal) =>
        new Promise((done, fail) => {
          const end = () => {
            sleepers.delete(sleeper);
            signal.removeEventListener("abort", interrupt);
          };
          const interrupt = () => {
            end();
            fail(new Error("woken"));
          };
          const sleeper = {
            atMs: clock.nowMs + ms,
            wake: () => {
              end();
              done();
            },
          };
          if (signal.aborted) return interrupt();
          sleepers.add(sleeper);
          signal.addEventListener("abort", interrupt);
        }),
      onHangup: (action) => {
        onHangup = action;
      },
      machine: { ...own.io.machine, elapsedMs: () => clock.nowMs, every: () => () => {} },
    };
    const coming = [...happenings].toSorted(([one], [other]) => one - other);
    const reading = readArguments(parseWords("serve", spec, ["-o", "json", ...line]));
    const called = { ...reading, styles: stylesFor({ isColoured: false, zone: UTC }) };
    const ended = withServing(io, called as Parameters<typeof withServing>[1], async (serving) => {
      const running = serving.run();
      for (;;) {
        await stillness.reached(hanging());
        const next = Math.min(...[...sleepers].map(({ atMs }) => atMs), coming[0]?.[0] ?? Infinity);
        if (next > untilMs) break;
        clock.nowMs = Math.max(clock.nowMs, next);
        const wasMs = clock.nowMs;
        while ((coming[0]?.[0] ?? Infinity) <= clock.nowMs) await coming.shift()?.[1]();
        // Whoever sleeps does so as long as ever, though the clock was put back.
        for (const each of sleepers) each.atMs -= wasMs - clock.nowMs;
        for (const each of sleepers) if (each.atMs <= clock.nowMs) each.wake();
      }
      clock.nowMs = untilMs;
      stop.abort();
      await running;
    });
    await ended;
    const told = said
      .split("\n")
      .filter(Boolean)
      .map((each) => JSON.parse(each) as LogLine);
    expect(unnamedKeys(told)).toEqual([]);
    return told;
  }

  return {
    sandbox,
    folder: folder.path,
    clock,
    env,
    serve,
    hangup: () => onHangup(),
    write: (name: string, id: string, rest: string): void => {
      const path = join(folder.path, name);
      mkdirSync(dirname(path), { recursive: true });
      const { portalUrl, signInUrl } = sandbox;
      const head = `targetVersion: "12.1"\nportal: { url: "${portalUrl}", id: ${id} }\nsignIn: { url: "${signInUrl}" }\n`;
      writeFileSync(path, head + rest);
    },
    /** As they stand on the disk, with when they were written. */
    states: () => {
      const place = join(folder.path, "portals/.lintel");
      return readdirSync(place, { recursive: true, encoding: "utf8" })
        .toSorted()
        .map((name) => [name, statSync(join(place, name)).mtimeMs]);
    },
    run: (line: string) => call(line.split(" "), { cwd: folder.path, env, startMs: clock.nowMs }),
  };
}

/** Each event in short: "18:00 north window". */
export function storyOf(told: readonly LogLine[]): string[] {
  return told.map(({ time, event, portal }) =>
    [time.slice(11, 16), portal?.name, event].filter(Boolean).join(" "),
  );
}
