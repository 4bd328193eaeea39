// What a script asked of the world outside → the ways to answer it.
import type { PortalAddress } from "../location.js";
import type { Answer } from "./page/ask.js";

export interface World {
  readonly answers: Readonly<Record<string, Answer>>;
  readonly now: number;
  readonly zone: number;
  /** Which questions it answers otherwise than the plain world does. */
  readonly differs: readonly string[];
}

/** One of the ways to answer a question. */
export type Choice = { readonly answer: Answer } | { readonly now: number; readonly zone: number };

/** What is known of a question. */
export interface Asked {
  readonly key: string;
  /** The texts of the conditions that are about it. */
  readonly literals: readonly string[];
  /** A condition is about it, or something was made a text or a number of. */
  readonly isUsed: boolean;
  readonly isListed: boolean;
  /** No script has this by chance, so that it is known wherever it comes to. */
  readonly mark: string;
}

export const SOMETHING: Answer = { is: "something" };
export const MISSING: Answer = { is: "undefined" };

export function value(given: string | number | boolean | null): Answer {
  return { is: "value", value: given };
}

export function plainWorld(portal: PortalAddress | undefined): World {
  const { protocol, host, context } = portal ?? PLAIN;
  const answers = {
    "location.protocol": value(protocol),
    "location.host": value(host),
    "location.pathname": value(`${context}/home/`),
  };
  return { answers, now: 1_500_000_000_000, zone: 0, differs: [] };
}

const PLAIN = { protocol: "https:", host: "portal.example.com", context: "/portal" };

export function withChoices(world: World, choices: Iterable<readonly [string, Choice]>): World {
  return [...choices].reduce((before, [key, choice]) => {
    const differs = [...before.differs.filter((each) => each !== key), key];
    return "answer" in choice
      ? { ...before, differs, answers: { ...before.answers, [key]: choice.answer } }
      : { ...before, differs, ...choice };
  }, world);
}

/** Which names of the program tell that a condition is about it: all of one of these. */
export function namesFor(key: string): readonly (readonly string[])[] {
  const path = key
    .replaceAll(/^(?:location|navigator|window)\.|\((?:#[\d.]+)?\)|\[\]/g, "")
    .split(".");
  const [first = ""] = path;
  if (/^(?:local|session)Storage$/.test(first)) return [[first]];
  return [path, ...(ALSO.get(first) ?? []).map((each) => [each])];
}

const HREF = ["href", "location", "URL", "documentURI", "baseURI", "toString"];

const ALSO: ReadonlyMap<string, readonly string[]> = new Map([
  ["time", ["Date", "performance"]],
  ["host", ["hostname", "port", "origin", "domain", ...HREF]],
  ["protocol", ["origin", ...HREF]],
  ["pathname", HREF],
  ["search", HREF],
  ["hash", HREF],
  ["language", ["languages"]],
  ["userAgent", ["appVersion"]],
]);

const HOUR = 3_600_000;

/** The most telling first. */
export function choicesFor(asked: Asked, portal: PortalAddress | undefined): Choice[] {
  const { key, literals, mark, isUsed, isListed } = asked;
  const few = literals.filter((each) => /[a-z]/i.test(each)).slice(0, 3);
  const pairs = few.flatMap((one) =>
    [mark, ...few].flatMap((each) => (each === one ? [] : `${one}=${each}`)),
  );
  const texts = (...all: string[]) => [...new Set(all)].map((each) => ({ answer: value(each) }));
  const numbers = (...all: number[]) => {
    const near = literals.flatMap((each) =>
      /^-?\d+(?:\.\d+)?$/.test(each) ? [Number(each), Number(each) + 1] : [],
    );
    return [...all, ...near].slice(0, 8).map((each) => ({ answer: value(each) }));
  };
  const isKind = (kinds: RegExp) => kinds.test(key);
  if (key === "location.protocol") return [];
  if (key === "location.host") {
    const hosts = literals
      .filter((each) => /^[\w.:-]+$/.test(each))
      .flatMap((each) => [each, `${each}.example.com`]);
    return portal ? [] : texts(`${mark}.example.org:7443`, ...hosts);
  }
  if (key === "location.pathname") {
    const first = portal ? `${portal.context}/home/` : "/";
    const own = literals.map((each) =>
      each.startsWith("/") && !portal ? each : first + each.replace(/^\//, ""),
    );
    return texts(
      ...(portal ? [] : [`/${mark}/home/webmap/viewer.html`, "/"]),
      `${first}webmap/${mark}.html`,
      ...own,
    );
  }
  if (isKind(/^location\.(?:search|hash)$/)) {
    const sign = key.endsWith("hash") ? "#" : "?";
    const all = [mark, ...literals, pairs.join("&"), ...pairs];
    return texts(...all.map((each) => (each.startsWith(sign) ? each : sign + each)));
  }
  if (key === "document.cookie")
    return texts(`${mark}=${mark}`, pairs.join("; "), ...literals, ...pairs);
  if (key === "time") {
    const days = [777.8, -9.37, 41.2, 3.62, 3_001.4];
    const { now } = plainWorld(undefined);
    return days.map((each, at) => ({
      now: now + (each * 24 + at * 7) * HOUR,
      zone: at % 2 ? -60 : 480,
    }));
  }
  if (key === "random") return [0, 0.72, 0.999].map((each) => ({ answer: value(each) }));
  if (isKind(/^(?:callback|change):/)) return [{ answer: value(true) }];
  if (isKind(/^navigator\.(?:onLine|cookieEnabled)$/)) return [{ answer: value(false) }];
  if (isKind(/^(?:screen|window)\./)) return numbers(320, 5_000);
  if (isKind(/^(?:navigator|document)\.(?:language|userAgent|platform|vendor|referrer|title)$/)) {
    return texts(mark, ...literals, `Mozilla/5.0 ${literals.join(" ")}`);
  }
  if (isKind(/^(?:local|session)Storage\./)) return texts(mark, "", ...literals);
  const settings = isListed ? [{ answer: { is: "settings" } as const }] : [];
  const kinds = [...texts(mark, ...literals), ...numbers(0, 1), { answer: value(true) }];
  // What is used as if it were there is there; what is read from it need not be.
  const missing = isKind(/[.(]/) ? [{ answer: MISSING }] : [];
  return isUsed || isListed ? [...settings, ...missing, ...kinds] : [];
}
