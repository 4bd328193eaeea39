// Runs a script in a world, and returns its configuration at its end and when all that waits has run.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Script, createContext } from "node:vm";
import { PROJECT } from "../support/run.js";

/** All that a script can ask the outside for. */
export interface World {
  readonly url: string;
  readonly referrer: string;
  readonly cookie: string;
  readonly language: string;
  readonly userAgent: string;
  readonly platform: string;
  readonly now: number;
  readonly random: number;
  readonly width: number;
  readonly stored: Readonly<Record<string, string>>;
  /** Modules that are asked for come when the script has ended. */
  readonly isLate: boolean;
  /** A script that runs first: names that others define. */
  readonly setup: string;
}

export const PLAIN: World = {
  url: "https://portal.example.org/portal/home/index.html",
  referrer: "",
  cookie: "",
  language: "en",
  userAgent:
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/99.0 Safari/537.36",
  platform: "Win32",
  now: Date.parse("2026-03-04T10:20:30"),
  random: 0.5,
  width: 1920,
  stored: {},
  isLate: false,
  setup: "",
};

/** Own enumerable data properties, as JSON text; what is no JSON is told as an object that says so. */
export interface Left {
  readonly atEnd: string;
  /** When timers, load handlers and promises have run, too. */
  readonly afterwards: string;
  readonly error?: string;
}

interface Page {
  readonly atEnd: string;
  read(): string;
  isWaiting(): boolean;
}

const LIMIT_MS = 200;
/** A busy machine takes a while over the shortest script. */
const SECOND_LIMIT_MS = 1_000;
const MOST_STEPS = 60;

const page = new Script(readFileSync(join(PROJECT, "test/migrate/window.js"), "utf8"));
const step = new Script("__step()");
/** Promise jobs run when a script has ended, but for one that has thrown. */
const nothing = new Script("0");

/** Before its first statement, and after the directive, which has to be the first. */
export function compile(text: string): Script {
  const directive = /^(?:\s|\/\/[^\n]*\n|\/\*[^]*?\*\/)*(["'])use strict\1;?/.exec(text);
  const at = directive?.[0].length ?? 0;
  return new Script(`${text.slice(0, at)};__start();${text.slice(at)}`);
}

/** Nothing where it did not end in time. */
export function run(script: Script, world: World): Left | undefined {
  return runFor(LIMIT_MS, script, world) ?? runFor(SECOND_LIMIT_MS, script, world);
}

function runFor(timeout: number, script: Script, world: World): Left | undefined {
  const context = createContext({}, { microtaskMode: "afterEvaluate" });
  const { protocol, host, hostname, port, origin, pathname, search, hash, href } = new URL(
    world.url,
  );
  const location = { protocol, host, hostname, port, origin, pathname, search, hash, href };
  for (const [name, value] of Object.entries({ URL, URLSearchParams })) {
    Object.defineProperty(context, name, { value, writable: true, configurable: true });
  }
  const open = page.runInContext(context) as (given: string) => Page;
  const made = open(JSON.stringify({ ...world, location }));
  let error: string | undefined;
  /** A browser writes an error to its console and goes on. */
  const attempt = (part: Script): string | undefined => {
    try {
      part.runInContext(context, { timeout });
      return undefined;
    } catch (thrown) {
      if (isLate(thrown)) throw thrown;
      return said(thrown);
    }
  };
  try {
    error = attempt(script);
    if (error !== undefined) attempt(nothing);
    for (let at = 0; at < MOST_STEPS && made.isWaiting(); at++) {
      if (attempt(step) !== undefined) attempt(nothing);
    }
  } catch (thrown) {
    if (isLate(thrown)) return undefined;
    throw thrown;
  }
  const left = { atEnd: made.atEnd, afterwards: made.read() };
  return error === undefined ? left : { ...left, error };
}

function isLate(thrown: unknown): boolean {
  const { code } = Object(thrown) as { readonly code?: unknown };
  return code === "ERR_SCRIPT_EXECUTION_TIMEOUT";
}

function said(thrown: unknown): string {
  try {
    return String(thrown);
  } catch {
    return "something that has no text";
  }
}
