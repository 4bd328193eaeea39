// What a script asks of the world outside → worlds that answer it otherwise.
import type { PortalAddress } from "../location.js";
import type { Primitive, World } from "./seam.js";

const CONTEXT = "/portal";
const AGENT =
  "(Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0";

/** What every browser has: its value in the plain world, and others; "~a" stands for a mark that is known wherever it comes to. */
const ANSWERS: Readonly<Record<string, readonly [Primitive, ...Primitive[]]>> = {
  "location.protocol": ["https:"],
  "location.host": ["portal.example.com", "~a.example.org:7443"],
  "location.pathname": [
    `${CONTEXT}/home/`,
    `${CONTEXT}/home/~a/~b.html`,
    "/~a/home/~b/~c.html",
    "/",
  ],
  "location.search": ["", "?~a=~b&~c=~d"],
  "location.hash": ["", "#~a/~b=~c"],
  "document.cookie": ["", "~a=~b; ~c=~d"],
  "document.referrer": ["", "https://~a/~b"],
  "document.title": ["", "~a"],
  "document.readyState": ["loading"],
  "navigator.language": ["en-US", "~a", "ar-EG"],
  "navigator.userAgent": [`Mozilla/5.0 ${AGENT}`, "Mozilla/5.0 (~a) ~b"],
  "navigator.appVersion": [`5.0 ${AGENT}`, "5.0 (~a) ~b"],
  "navigator.platform": ["Win32", "~a"],
  "navigator.onLine": [true, false],
  "navigator.cookieEnabled": [true, false],
  "screen.width": [1920, 320, 5000],
  "screen.height": [1080, 240, 3000],
  "window.innerWidth": [1919, 320, 5000],
  "window.innerHeight": [960, 240, 3000],
  random: [0.37, 0, 0.999],
};

export function plainWorld(portal: PortalAddress | undefined): World {
  const plain = Object.entries(ANSWERS).map(([key, [first]]) => [key, first] as const);
  const known = portal && {
    "location.protocol": portal.protocol,
    "location.host": portal.host,
    "location.pathname": `${portal.context}/home/`,
  };
  return {
    answers: { ...Object.fromEntries(plain), ...known },
    missing: [],
    now: Date.UTC(2017, 6, 14, 2, 40),
    zone: 0,
    isBusy: false,
    forced: {},
    called: [],
  };
}

/** In so many ways every question is answered otherwise. */
export const WAYS = 4;

/** With the nth other answer to a question, which may be that a name is there; else the first, if there is any. */
export function withOther(
  world: World,
  key: string,
  nth: number,
  portal: PortalAddress | undefined,
): World {
  if (world.missing.includes(key) && nth < 2)
    return { ...world, missing: world.missing.filter((each) => each !== key) };
  if (key === "others") return { ...world, isBusy: nth % 2 === 0 };
  if (key === "time") {
    const now = Date.UTC(2001 + nth * 17, (nth * 5) % 12, 3 + nth * 8, 5 + nth * 7, 41);
    return { ...world, now, zone: nth % 2 ? -60 : 480 };
  }
  const [, ...all] = Object.hasOwn(ANSWERS, key) ? (ANSWERS[key] ?? []) : [];
  // Where the portal is known, so is what its host and the beginning of its paths decide.
  const isOpen = (each: Primitive) => !portal || !/^\/(?:~|$)|^~a\.example/.test(String(each));
  const others = all.filter(isOpen);
  const other = others[nth] ?? (nth === others.length ? others.at(-1) : others[0]);
  if (other === undefined) return world;
  // The last of them once more, with numbers in the place of its marks.
  const mark = nth === others.length ? "4731" : `zq${Object.keys(ANSWERS).indexOf(key)}$1`;
  const text = String(other).replace(CONTEXT, portal?.context ?? CONTEXT);
  const value = typeof other === "string" ? text.replace(/~([a-d])/g, mark) : other;
  return { ...world, answers: { ...world.answers, [key]: value } };
}
