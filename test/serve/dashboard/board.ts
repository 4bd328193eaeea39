// Opens the dashboard of invented portals that change.
import { setTimeout as delay } from "node:timers/promises";
import { readMachine } from "../../../src/io.js";
import type { Environment } from "../../support/run.js";
import { ACTIONS, type ActionName } from "../../../src/serve/dashboard/source.js";
import type {
  SnapshotSource,
  Remembered,
  DashboardSource,
} from "../../../src/serve/dashboard/source.js";
import { openDashboard } from "../../../src/serve/dashboard/dashboard.js";
import { listeningOf, type ListeningOptions } from "../../../src/serve/dashboard/listening.js";
import { openProcessMetrics } from "../../../src/serve/dashboard/prometheus.js";
import { NO_ROLES, type Roles } from "../../../src/serve/dashboard/roles.js";
import type { Snapshot } from "../../../src/serve/snapshot.js";
import type { Repository } from "../../../src/serve/dashboard/views/forge.js";
import type { Entry, State } from "../../../src/state/state.js";
import { DRIFT } from "./views/sample.js";

export const NOW = Date.parse("2026-06-15T12:00:00Z");
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

export function seen(number: number, more: Partial<Snapshot> = {}): Snapshot {
  const id = `portal-${number}`;
  return {
    key: `gis.example.com-${id}`,
    name: `district-${number}`,
    url: "https://gis.example.com/portal/sharing/rest",
    id,
    file: `portals/district-${number}.yaml`,
    status: "in-sync",
    checkedMs: NOW - (number % 15) * MINUTE_MS,
    answeredMs: NOW - (number % 15) * MINUTE_MS,
    nextMs: NOW + 5 * MINUTE_MS,
    windows: [],
    waiting: [],
    drift: [],
    lastApply: 3,
    commit: "0123456789abcdef0123456789abcdef01234567",
    author: "ana (ana@example.com)",
    ...more,
  };
}

/** Portals of every kind, and beside them as many as are wanted that are well. */
export function fleet(portals = 24): Snapshot[] {
  const window = { name: "Maintenance", fromMs: NOW - HOUR_MS, untilMs: NOW + 3 * HOUR_MS };
  const later = { name: "Elections", fromMs: NOW + 26 * HOUR_MS, untilMs: NOW + 74 * HOUR_MS };
  const waiting: Snapshot["waiting"] = [
    {
      path: "blockBetaApps",
      action: "set",
      cause: "file",
      window: null,
      before: null,
      after: true,
    },
  ];
  const failure = (code: string, message: string, help: string) => ({
    code,
    message,
    help,
    sinceMs: NOW - 40 * MINUTE_MS,
  });
  const odd: Snapshot[] = [
    seen(1, {
      name: "Northern district",
      status: "drifted",
      drift: DRIFT,
      pool: "inside",
      windows: [window, later],
    }),
    seen(2, {
      name: "Harbour",
      status: "invalid",
      pool: "outside",
      failure: failure(
        "file-invalid",
        'portals/district-2.yaml:7:9: "okonly" is not a value of "buttons".',
        'Did you mean "okOnly"?',
      ),
    }),
    seen(3, {
      name: "Islands",
      status: "unreachable",
      answeredMs: NOW - 9 * HOUR_MS,
      failure: failure(
        "not-reachable",
        "gis.example.com does not answer: the connection was refused.",
        "Is the portal running? See what is asked:\n  lintel doctor portals/district-3.yaml",
      ),
    }),
    seen(4, {
      name: "Forests and parks",
      status: "blocked",
      waiting,
      guards: ["disable-notice"],
      failure: failure(
        "guarded",
        "A guard stops it: the informational banner would be switched off.",
        "If that is meant, open the guard:\n  lintel apply portals/district-4.yaml --allow banner-off",
      ),
    }),
    seen(5, {
      name: "City archive",
      status: "held",
      failure: failure(
        "held",
        "It is held since 2026-06-14 09:30 UTC by ana: rolled back after the outage.",
        "To end the hold:\n  lintel unhold portals/district-5.yaml",
      ),
    }),
    seen(6, { name: "Water board", status: "pending", waiting, windows: [later] }),
    seen(7, { name: "New district", status: "unknown" }),
  ];
  const { checkedMs: _, answeredMs: __, ...fresh } = odd[6] as Snapshot;
  odd[6] = fresh;
  const well = Array.from({ length: Math.max(0, portals - odd.length) }, (_, at) => seen(at + 8));
  return [...odd, ...well].slice(0, portals);
}

const BY = {
  actor: "ana",
  account: "ana@example.com",
  host: "runner-7",
  commit: "0123456789abcdef0123456789abcdef01234567",
  job: "https://git.example.com/gis/portals/jobs/81",
};

function entry(number: number, more: Partial<Entry> = {}): Entry {
  return {
    number,
    kind: "apply",
    time: new Date(NOW - (9 - number) * 24 * HOUR_MS).toISOString(),
    by: BY,
    planDigest: "0".repeat(64),
    guards: [],
    changes: [
      {
        path: ["informationalBanner", "text"],
        action: "set",
        cause: "file",
        before: number === 1 ? null : "The portal is read-only on Friday.",
        after:
          "The portal is read-only on Saturday from 18:00 to 22:00, while servers are renewed.",
      },
    ],
    ...more,
  };
}

function note(kind: "hold", why: string): Entry {
  const time = new Date(NOW - 7 * 24 * HOUR_MS).toISOString();
  return { kind, time, by: BY, why, guards: [], changes: [] };
}

const SETTINGS = {
  informationalBanner: {
    text: "The portal is read-only on Saturday from 18:00 to 22:00, while servers are renewed.",
    bgColor: "#0d5f63",
    fontColor: "white",
    enabled: true,
  },
  anonymousAccessNotice: {
    title: "Terms of use",
    text: "By entering you agree.",
    buttons: "okOnly",
    enabled: true,
  },
  portalConfigProperties: {
    showInAppLauncher: ["Dashboards", "StoryMaps"],
    footerLinks: [{ title: "Contact", email: "gis@example.com" }],
  },
  blockBetaApps: false,
};

export function stateOf({ key, url, id }: Snapshot): State {
  const leaf = (path: string[], value: State["leaves"][number]["sent"]) => ({
    path,
    sent: value,
    shown: value,
  });
  return {
    lineage: "5f0c6c7e",
    serial: 3,
    portal: { url, id, key },
    leaves: [
      leaf(["informationalBanner", "text"], SETTINGS.informationalBanner.text),
      leaf(["informationalBanner", "enabled"], true),
      leaf(["portalConfigProperties", "showInAppLauncher"], ["Dashboards", "StoryMaps"]),
    ],
    history: [
      entry(1, { guards: [{ guard: "first-apply", how: "file", reason: "the portal is new" }] }),
      note("hold", "servers move"),
      entry(2, { live: { after: SETTINGS } }),
    ],
  };
}

export interface Opened {
  readonly url: string;
  /** As much time goes by as anything waits for that is done again and again; gives what was said meanwhile. */
  readonly beat: () => Promise<readonly string[]>;
  readonly portals: () => readonly Snapshot[];
  readonly set: (portals: readonly Snapshot[]) => void;
  /** One portal, by its number. */
  readonly change: (number: number, more: Partial<Snapshot>) => void;
  readonly clock: { nowMs: number };
  readonly read: string[];
  /** Whether it is ready. */
  readonly ready: { is: boolean };
}

/** What only some tests are about. */
export interface More extends Partial<
  Pick<DashboardSource, "actions" | "automatic" | "commits" | "activity" | "workers" | "pushed">
> {
  readonly roles?: Roles;
  readonly isMetricsPerPortal?: boolean;
  readonly repository?: Repository;
  readonly allowed?: readonly ActionName[];
}

export async function startBoard(
  portals: readonly Snapshot[] = fleet(),
  said: Partial<ListeningOptions> = {},
  env: Environment = {},
  remembered: (seen: Snapshot) => Remembered = (each) => ({ state: stateOf(each) }),
  more: More = {},
): Promise<Opened & { readonly close: () => Promise<void> }> {
  let all = [...portals];
  const listeners = new Set<() => void>();
  const snapshots: SnapshotSource = {
    portals: () => all,
    changed(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
  const clock = { nowMs: NOW };
  const ready = { is: true };
  const beats: (() => Promise<void>)[] = [];
  const notices: string[] = [];
  const every = (_: number, action: () => Promise<void>) => {
    beats.push(action);
    return () => {};
  };
  const read: string[] = [];
  const page = await openDashboard({
    ...more,
    io: {
      now: () => clock.nowMs,
      sleep: (ms, signal) => delay(ms, undefined, { signal }),
      machine: { ...readMachine(process), every },
    },
    listening: listeningOf(
      { port: 0, host: "127.0.0.1", isBehindTls: false, isBehindAuthProxy: false, ...said },
      { env, cwd: "/" },
    ),
    snapshots,
    remember: (each) => {
      read.push(each.key);
      return Promise.resolve(remembered(all.find(({ key }) => key === each.key) as Snapshot));
    },
    isReady: () => ready.is,
    metrics: () => Promise.resolve([]),
    allowed: more.allowed ?? (more.actions ? ACTIONS : []),
    roles: more.roles ?? NO_ROLES,
    processMetrics: openProcessMetrics({ version: "0.0.0" }),
    isMetricsPerPortal: more.isMetricsPerPortal ?? false,
    notice: (sentence) => void notices.push(sentence),
  });
  const set = (next: readonly Snapshot[]) => {
    all = [...next];
    for (const listener of listeners) listener();
  };
  return {
    url: said.publicUrl === undefined ? page.url : `http://127.0.0.1:${page.port}`,
    portals: () => all,
    set,
    change: (number, more) =>
      set(all.map((each) => (each.id === `portal-${number}` ? { ...each, ...more } : each))),
    clock,
    read,
    ready,
    beat: async () => {
      for (const each of beats) await each();
      return notices;
    },
    close: () => page.close(),
  };
}
