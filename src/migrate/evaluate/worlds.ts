// Makes worlds: a plain page, and pages that answer a script's questions differently.
import type { PortalAddress } from "../location.js";
import { USUAL_NAME, settingNames } from "../known.js";
import { MAY_LACK, type Primitive, type World } from "./protocol.js";

const CONTEXT = "/portal";
const AGENT =
  "(Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0";

/** The plain answer, and others. "~a" stands for a mark, or for a number in the last world. */
const ANSWERS: Readonly<Record<string, readonly [Primitive, ...Primitive[]]>> = {
  "location.protocol": ["https:"],
  "location.host": ["portal.example.com", "~a.~b.example.org:7443", "~a"],
  "location.pathname": [`${CONTEXT}/home/`, "/~a/home/~b/~c.html", `${CONTEXT}/home/~a/~b.html`],
  "location.search": ["", "?~a=~b&~c=~d"],
  "location.hash": ["", "#~a/~b=~c"],
  "document.cookie": ["", "~a=~b; ~c=~d"],
  "document.referrer": ["", "https://~a/~b"],
  "document.title": ["", "~a"],
  "document.readyState": ["loading", "complete"],
  "navigator.language": ["en-US", "~a", "ar-EG"],
  "navigator.userAgent": [`Mozilla/5.0 ${AGENT}`, "Mozilla/5.0 (~a) ~b"],
  "navigator.appVersion": [`5.0 ${AGENT}`, "5.0 (~a) ~b"],
  "navigator.platform": ["Win32", "~a"],
  "navigator.onLine": [true, false],
  "navigator.cookieEnabled": [true, false],
  "screen.width": [1920, 320, 5000],
  "screen.height": [1080, 240, 3000],
  "window.name": ["", "~a"],
  "window.status": ["", "~a"],
  "window.innerWidth": [1919, 320, 5000],
  "window.innerHeight": [960, 240, 3000],
  random: [0.37, 0, 0.999],
};

/** What causes are called, and what the questions are made of. */
export const PAGE_WORDS: ReadonlySet<string> = new Set([
  ...Object.keys(ANSWERS).flatMap((key) => key.split(".")),
  ..."time others later unmet several called with untried key hidden foreign code getter prototype form size depth new define".split(
    " ",
  ),
  USUAL_NAME,
  ...settingNames(),
]);

export function plainWorld(portal: PortalAddress | undefined): World {
  const plain = Object.entries(ANSWERS).map(([key, [first]]) => [key, first] as const);
  const known = portal && {
    "location.protocol": portal.protocol,
    "location.host": portal.host,
    "location.pathname": `${portal.context}/home/`,
  };
  return {
    answers: { ...Object.fromEntries(plain), ...known },
    names: [],
    now: Date.UTC(2017, 6, 14, 2, 40),
    zone: 0,
    isBusy: false,
    forced: {},
  };
}

/** The same world with another answer to one question: the first one that there is, or the last. */
export function withOther(
  world: World,
  key: string,
  which: "first" | "last",
  portal: PortalAddress | undefined,
): World {
  const isFirst = which === "first";
  if (key === "others") return { ...world, isBusy: isFirst };
  if (key === "time") {
    const now = isFirst
      ? Date.UTC(2001, 0, 3, 5, 41, 23, 457)
      : Date.UTC(2035, 10, 24, 19, 41, 37, 891);
    return { ...world, now, zone: isFirst ? 480 : -60 };
  }
  if (!Object.hasOwn(ANSWERS, key)) {
    const isOpen = MAY_LACK.test(key) || !/[.(]/.test(key);
    if (!isOpen || world.names.includes(key)) return world;
    return { ...world, names: [...world.names, key] };
  }
  // The address of a known portal stays.
  const isOpen = (each: Primitive) =>
    !portal || (key !== "location.host" && !String(each).startsWith("/~"));
  const others = (ANSWERS[key] ?? []).slice(1).filter(isOpen);
  const other = isFirst ? others[0] : others.at(-1);
  if (other === undefined) return world;
  const mark = isFirst ? `zq${Object.keys(ANSWERS).indexOf(key)}$1` : "4731";
  const text = String(other).replace(CONTEXT, portal?.context ?? CONTEXT);
  const value = typeof other === "string" ? text.replace(/~([a-d])/g, mark) : other;
  return { ...world, answers: { ...world.answers, [key]: value } };
}

export function withOthers(
  world: World,
  keys: Iterable<string>,
  which: "first" | "last",
  portal: PortalAddress | undefined,
): World {
  return [...keys].reduce((found, key) => withOther(found, key, which, portal), world);
}
