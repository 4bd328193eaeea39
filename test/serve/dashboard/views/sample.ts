// Invented portals for the tests of the dashboard's pages, and for looking at them.
import { ACTIONS } from "../../../../src/serve/dashboard/source.js";
import {
  renderActionForms,
  renderResult,
  unholdPage,
} from "../../../../src/serve/dashboard/views/action-forms.js";
import { isoTime } from "../../../../src/schedule.js";
import type { View } from "../../../../src/lib/html-document.js";
import {
  activityPage,
  type ActivityPage,
} from "../../../../src/serve/dashboard/views/activity-page.js";
import {
  calendarPage,
  type PortalWindow,
} from "../../../../src/serve/dashboard/views/calendar-page.js";
import {
  rolloutPage,
  type RolloutPage,
} from "../../../../src/serve/dashboard/views/rollout-page.js";
import {
  workersPage,
  type WorkersPage,
} from "../../../../src/serve/dashboard/views/workers-page.js";
import type { Snapshot } from "../../../../src/serve/snapshot.js";
import type { Event } from "../../../../src/serve/events/event.js";
import { portalPage, type PortalPage } from "../../../../src/serve/dashboard/views/portal-page.js";
import type { Entry, State } from "../../../../src/state/state.js";

export const NOW = Date.parse("2026-06-15T12:00:00Z");
export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
export const COMMIT = "f06eee7abc1245d60e1b3c5d7f9a0b2c4d6e8f01";
export const OLDER = "0123456789abcdef0123456789abcdef01234567";
export const REPOSITORY = { url: "https://gitlab.example.com/gis/portals" };

const SATURDAY =
  "The portal is read-only on Saturday from 18:00 to 22:00, while servers are renewed.";
const SUNDAY =
  "The portal is read-only on Sunday from 18:00 to 23:00, while the servers are moved.";

export const SETTINGS = {
  informationalBanner: { text: SATURDAY, bgColor: "#0d5f63", fontColor: "white", enabled: true },
  anonymousAccessNotice: {
    title: "Terms of use",
    text: "By entering you agree to the terms of the district.",
    buttons: "okOnly" as const,
    enabled: true,
  },
  portalConfigProperties: {
    showInAppLauncher: ["Dashboards", "StoryMaps"],
    footerLinks: [{ title: "Contact", email: "gis@example.com" }],
  },
  blockBetaApps: false,
};

export function snapshot(more: Partial<Snapshot> = {}): Snapshot {
  return {
    key: "gis.example.com-north",
    name: "Northern district",
    url: "https://gis.example.com/portal/sharing/rest",
    id: "self",
    file: "portals/north.yaml",
    status: "in-sync",
    checkedMs: NOW - 4 * 60_000,
    answeredMs: NOW - 4 * 60_000,
    nextMs: NOW + 11 * 60_000,
    windows: [],
    waiting: [],
    drift: [],
    lastApply: 4,
    commit: OLDER,
    ...more,
  };
}

export const DRIFT: Snapshot["drift"] = [
  { path: "informationalBanner.text", proven: SATURDAY, live: SUNDAY, managed: true },
  {
    path: "portalConfigProperties.showInAppLauncher",
    proven: ["Dashboards", "StoryMaps"],
    live: ["Dashboards"],
    managed: true,
  },
  {
    path: "portalConfigProperties.surveyUrl",
    proven: null,
    live: "https://survey.example.com",
    managed: false,
  },
];

export const PENDING: Snapshot["waiting"] = [
  {
    path: "informationalBanner.text",
    action: "set",
    cause: "file",
    window: null,
    before: SATURDAY,
    after: "Elections on 28 June: maps of polling stations are updated every hour.",
  },
  {
    path: "informationalBanner.bgColor",
    action: "set",
    cause: "file",
    window: null,
    before: "#0d5f63",
    after: "#7a1f3d",
  },
  {
    path: "anonymousAccessNotice.enabled",
    action: "set",
    cause: "file",
    window: null,
    before: true,
    after: false,
  },
  {
    path: "blockBetaApps",
    action: "set",
    cause: "schedule",
    window: { name: "Elections", is: "open", since: "2026-06-15T11:00:00Z" },
    before: false,
    after: true,
  },
];

export const WINDOWS: Snapshot["windows"] = [
  {
    name: "Maintenance",
    fromMs: NOW - HOUR_MS,
    untilMs: NOW + 3 * HOUR_MS,
    timeZone: "Europe/Vienna",
  },
  {
    name: "Maintenance",
    fromMs: NOW + 7 * DAY_MS - HOUR_MS,
    untilMs: NOW + 7 * DAY_MS + 3 * HOUR_MS,
    timeZone: "Europe/Vienna",
  },
  {
    name: "Elections",
    fromMs: NOW + 3 * DAY_MS + 4 * HOUR_MS,
    untilMs: NOW + 13 * DAY_MS,
    timeZone: "Europe/Vienna",
  },
  {
    name: "Inventory",
    fromMs: NOW + DAY_MS,
    untilMs: NOW + 2 * DAY_MS,
    timeZone: "UTC",
    isUnapplied: true,
  },
  { name: "Audit", fromMs: NOW + 40 * DAY_MS, untilMs: NOW + 41 * DAY_MS, timeZone: "UTC" },
];

const BY = {
  actor: "ana",
  account: "ana@example.com",
  host: "runner-7",
  commit: OLDER,
  job: "https://gitlab.example.com/gis/portals/-/jobs/81",
};

export function entry(number: number, more: Partial<Entry> = {}): Entry {
  return {
    number,
    kind: "apply",
    time: new Date(NOW - (9 - number) * DAY_MS).toISOString(),
    by: BY,
    planDigest: "0".repeat(64),
    guards: [],
    changes: [
      {
        path: ["informationalBanner", "text"],
        action: "set",
        cause: "file",
        before: number === 1 ? null : "The portal is read-only on Friday.",
        after: SATURDAY,
      },
    ],
    ...more,
  };
}

export function state(more: Partial<State> = {}): State {
  const leaf = (path: string[], value: State["leaves"][number]["sent"]) => ({
    path,
    sent: value,
    shown: value,
  });
  const { informationalBanner: banner, ...others } = SETTINGS;
  const friday = { ...others, informationalBanner: { ...banner, text: "Read-only on Friday." } };
  const hold: Entry = {
    kind: "hold",
    time: new Date(NOW - 7.5 * DAY_MS).toISOString(),
    by: BY,
    why: "servers move",
    guards: [],
    changes: [],
  };
  return {
    lineage: "5f0c6c7e",
    serial: 4,
    portal: { url: "https://gis.example.com/portal/sharing/rest", id: "self", key: "north" },
    leaves: [
      leaf(["informationalBanner", "text"], SATURDAY),
      leaf(["informationalBanner", "enabled"], true),
      leaf(["anonymousAccessNotice", "enabled"], true),
      leaf(["portalConfigProperties", "showInAppLauncher"], ["Dashboards", "StoryMaps"]),
    ],
    history: [
      entry(1),
      hold,
      entry(2, { live: { before: {}, after: { ...others, blockBetaApps: true } } }),
      entry(3, {
        live: { after: friday },
        guards: [{ guard: "disable-notice", how: "--allow", path: ["anonymousAccessNotice"] }],
      }),
      entry(4, { live: { before: friday, after: SETTINGS } }),
    ],
    ...more,
  };
}

export function portal(more: Partial<PortalPage> = {}): PortalPage {
  return {
    snapshot: snapshot(),
    state: state(),
    repository: REPOSITORY,
    source: {
      path: "portals/north.yaml",
      commit: COMMIT,
      author: "Ana Petrova",
      subject: "Announce the elections",
      timeMs: NOW - 2 * HOUR_MS,
    },
    nowMs: NOW,
    stamp: "1",
    ...more,
  };
}

const named = (at: number) => ({ key: `gis.example.com-district-${at}`, name: `district-${at}` });

const UNREACHED = [
  {
    ...named(3),
    status: "unreachable",
    why: "gis.example.com does not answer: the connection was refused.",
  },
  {
    ...named(7),
    status: "held",
    why: "Held since 2026-06-14 09:30 UTC by ana: rolled back after the outage.",
  },
  { ...named(12), status: "blocked", why: "Blocked by the guard “disable-notice”." },
  { ...named(13), status: "pending", why: "Waits for an apply: informationalBanner.text." },
  { ...named(19), status: "invalid", why: 'portals/19.yaml:7:9: "okonly" is not a value.' },
  { ...named(25), status: "drifted", why: "Changed on the portal: informationalBanner.text." },
] as const;

export const ROLLOUT: RolloutPage = {
  commit: {
    commit: COMMIT,
    subject: "Announce the elections",
    author: "Ana Petrova",
    timeMs: NOW - 2 * HOUR_MS,
  },
  portals: [
    ...UNREACHED.map((each) => ({ ...each, commit: OLDER, isReached: false })),
    ...Array.from({ length: 40 }, (_, at) => ({
      ...named(at + 30),
      status: "in-sync" as const,
      commit: COMMIT,
      isReached: true,
    })),
  ],
  choices: [
    { commit: COMMIT, subject: "Announce the elections", portals: 40 },
    { commit: OLDER, subject: "Say when servers are renewed", portals: 46 },
    { commit: "77aa0011bb2233cc4455dd6677ee8899ff00aabb", portals: 46 },
  ],
  repository: REPOSITORY,
  stamp: "1",
};

function happened(
  at: number,
  hoursAgo: number,
  more: Pick<Event, "kind" | "message"> & Partial<Event>,
): Event {
  const { key, name } = named(at);
  const portal = { name, url: "https://gis.example.com/portal/sharing/rest", id: name };
  return {
    id: `${hoursAgo}-${at}`,
    timeMs: NOW - hoursAgo * HOUR_MS,
    isProblem: false,
    key,
    about: { portal, file: `portals/${name}.yaml` },
    ...more,
  };
}

export const ACTIVITY: ActivityPage = {
  events: [
    happened(25, 0.5, {
      kind: "drift",
      message: 'Changed outside Lintel: "informationalBanner.text".',
      isProblem: true,
    }),
    ...Array.from({ length: 40 }, (_, at) =>
      happened(at + 30, 2, {
        kind: "applied",
        message: 'ana applied "informationalBanner.text" from the file.',
        more: { by: { commit: COMMIT } },
      }),
    ),
    happened(3, 10, {
      kind: "failed",
      message: "gis.example.com does not answer: the connection was refused.",
      isProblem: true,
    }),
    happened(8, 21, {
      kind: "recovered",
      message: "The portal can be checked again.",
      isProblem: true,
    }),
    happened(9, 22, { kind: "window", message: "The window “Elections” opened." }),
  ],
  older: "2026-06-13",
  repository: REPOSITORY,
  stamp: "1",
};

export const PLANNED: readonly PortalWindow[] = [
  ...Array.from({ length: 12 }, (_, at) =>
    WINDOWS.slice(0, 3).map((window) => ({ ...window, portal: named(at + 1) })),
  ).flat(),
  {
    name: "Freeze",
    fromMs: NOW + 9 * DAY_MS,
    untilMs: NOW + 10 * DAY_MS,
    timeZone: "America/New_York",
    portal: named(40),
  },
  ...Array.from({ length: 5 }, (_, at) => ({
    name: `Upgrade ${at + 1}`,
    fromMs: NOW + 16 * DAY_MS + at * HOUR_MS,
    untilMs: NOW + 16 * DAY_MS + (at + 1) * HOUR_MS,
    timeZone: "UTC",
    portal: named(at + 50),
  })),
];

export const WORKERS: WorkersPage = {
  queue: {
    processes: [
      {
        role: "worker",
        host: "worker-a.example.com",
        pid: 4_711,
        version: "1.4.0",
        pools: ["north"],
        apply: ["schedule", "drift", "files"],
        commit: COMMIT,
        since: isoTime(NOW - 5e6),
        seen: isoTime(NOW - 2_000),
        stuck: null,
        doing: ["district-3", "district-4"],
      },
      {
        role: "worker",
        host: "worker-b.example.com",
        pid: 4_712,
        version: "1.3.2",
        pools: ["north", "south"],
        apply: [],
        commit: OLDER,
        since: isoTime(NOW - 5e6),
        seen: isoTime(NOW - 61_000),
        stuck: "The commit f06eee7abc12 cannot be reached from main in its clone.",
      },
    ],
    warnings: [
      "Workers of the pool north differ: worker-a runs version 1.4.0, worker-b version 1.3.2.",
      "Workers of the pool north differ: worker-b may apply nothing.",
    ],
    dead: [{ portal: "district-3", since: isoTime(NOW - 5e6) }],
    draining: true,
  },
  repository: REPOSITORY,
  stamp: "1",
};

const HOMES = { viewer: "anonymous", now: "/home/anonymous", after: "/home/anonymous" } as const;

function comparison(query: URLSearchParams) {
  const [from, to] = ["from", "to"].map((name) => Number(query.get(name)));
  return from && to ? { compare: { from, to } } : {};
}

/** By path: each page as it looks with much to show. */
export const PAGES: Readonly<Record<string, (query: URLSearchParams) => View>> = {
  "/portals/pending": (query) =>
    portalPage(
      portal({
        snapshot: snapshot({
          status: "blocked",
          waiting: PENDING,
          windows: WINDOWS,
          guards: ["disable-notice"],
          blockers: [
            {
              guard: "disable-notice",
              reason: "The notice for anonymous visitors would be switched off.",
            },
          ],
        }),
        homes: HOMES,
        compare: { from: 2, to: 4 },
        actions: renderActionForms(snapshot({ status: "pending", guards: ["x"] }), ACTIONS),
        user: { name: "ana", role: "operator of north-*" },
        note: "Applied automatically: schedule. Operators may use: refresh, apply and hold.",
        ...comparison(query),
      }),
    ),
  "/portals/drifted": () =>
    portalPage(
      portal({
        snapshot: snapshot({ status: "drifted", drift: DRIFT, windows: WINDOWS.slice(2) }),
        homes: { viewer: "anonymous", now: "/home/anonymous" },
      }),
    ),
  "/portals/invalid": () =>
    portalPage(
      portal({
        snapshot: snapshot({
          status: "invalid",
          failure: {
            code: "file-invalid",
            message: 'portals/north.yaml:7:9: "okonly" is not a value of "buttons".',
            help: 'Did you mean "okOnly"? See:\n  lintel validate portals/north.yaml',
            sinceMs: NOW - 26 * HOUR_MS,
          },
        }),
      }),
    ),
  "/portals/held": () =>
    portalPage(
      portal({
        snapshot: snapshot({
          status: "held",
          failure: {
            code: "held",
            message: "The portal is held by ana since 2026-06-15 09:00 UTC: The servers move.",
            help: "To lift it:\n  lintel unhold portals/north.yaml",
            sinceMs: NOW - 3 * HOUR_MS,
          },
        }),
        actions: renderActionForms(snapshot({ status: "held" }), ACTIONS),
        result: renderResult({ message: "On hold: The servers move.", isDone: true }),
      }),
    ),
  "/portals/unhold": () =>
    unholdPage({
      seen: snapshot({ status: "held" }),
      hold: { by: BY, since: "2026-06-15T09:00:00Z", why: "The servers move." },
      plan: {
        digest: "d1",
        changes: PENDING.map((each) => ({ ...each, before: each.before ?? null })),
        guards: ["disable-notice"],
      },
      automatic: ["schedule"],
      around: { stamp: "1" },
    }),
  "/portals/in-sync": () => portalPage(portal({ source: undefined })),
  "/rollout": () => rolloutPage(ROLLOUT),
  "/activity": (query) => activityPage({ ...ACTIVITY, kind: query.get("kind") ?? undefined }),
  "/calendar": (query) =>
    calendarPage({
      windows: PLANNED,
      from: query.get("from") ?? undefined,
      nowMs: NOW,
      stamp: "1",
    }),
  "/workers": () => workersPage(WORKERS),
};
