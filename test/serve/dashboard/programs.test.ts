// What programs are told by the page: portals, one portal, history, figures; in shapes that only grow.
import { expect, test } from "vitest";
import { boardMetrics } from "../../../src/serve/dashboard/metrics.js";
import { settingsNow } from "../../../src/serve/dashboard/settings-now.js";
import { ask } from "./ask.js";
import { fleet, NOW, openBoard, seen, stateOf, type Opened } from "./open.js";
import { DRIFT } from "./views/sample.js";

async function json({ url }: Opened, path: string) {
  const { host } = new URL(url);
  const { status, body, headers } = await ask(url, { path, headers: { host } });
  expect(headers["content-type"]).toBe("application/json; charset=utf-8");
  return { status, document: JSON.parse(body) as Record<string, unknown> };
}

interface Listed {
  readonly portals: readonly { readonly name: string; readonly key: string }[];
  readonly next?: string | null;
}

test("/api/portals has all that is known of each portal", async () => {
  const board = await openBoard([seen(1), ...fleet().slice(1, 3)]);
  const { document } = await json(board, "/api/portals");
  expect(document).toMatchObject({
    formatVersion: 1,
    time: "2026-06-15T12:00:00Z",
    portals: [
      { status: "invalid", failure: { code: "file-invalid", since: "2026-06-15T11:20:00Z" } },
      { status: "unreachable", pool: null, answeredAt: "2026-06-15T03:00:00Z" },
      {
        key: "gis.example.com-portal-1",
        name: "district-1",
        url: "https://gis.example.com/portal/sharing/rest",
        id: "portal-1",
        file: "portals/district-1.yaml",
        pool: null,
        status: "in-sync",
        lookedAt: "2026-06-15T11:59:00Z",
        answeredAt: "2026-06-15T11:59:00Z",
        nextAt: "2026-06-15T12:05:00Z",
        windows: [],
        waiting: [],
        drift: [],
        failure: null,
        lastApply: 3,
        commit: "0123456789abcdef0123456789abcdef01234567",
      },
    ],
  });
});

test("/api/portals filters by status and pool", async () => {
  const board = await openBoard();
  const names = async (query: string) => {
    const { document } = await json(board, `/api/portals?${query}`);
    return (document as unknown as Listed).portals.map(({ name }) => name);
  };
  expect(await names("status=drifted")).toEqual(["Northern district"]);
  expect(await names("pool=outside")).toEqual(["Harbour"]);
  expect(await names("pool=outside&status=in-sync")).toEqual([]);
  expect(await names("")).toHaveLength(24);
});

test("a status that there is not is refused, and not answered as if no portal had it", async () => {
  const { status, document } = await json(await openBoard(), "/api/portals?status=drifting");
  expect(status).toBe(400);
  expect(document).toMatchObject({
    failure: {
      code: "wrong-usage",
      message: '"drifting" is not a status of a portal.',
      help: expect.stringContaining("drifted, held") as string,
    },
  });
});

test("/api/portals/NAME adds the settings as they are now, holds and history, by name or by key", async () => {
  const board = await openBoard();
  for (const name of ["Northern%20district", "gis.example.com-portal-1"]) {
    const { document } = await json(board, `/api/portals/${name}`);
    expect(document).toMatchObject({
      formatVersion: 1,
      portal: {
        name: "Northern district",
        status: "drifted",
        drift: DRIFT,
        isWhole: true,
        settings: {
          informationalBanner: { text: DRIFT[0]?.live, enabled: true },
          portalConfigProperties: { surveyUrl: "https://survey.example.com" },
          blockBetaApps: false,
        },
        managed: [
          ["informationalBanner", "text"],
          ["informationalBanner", "enabled"],
          expect.anything(),
        ],
        hold: null,
        history: [{ number: 1 }, { kind: "hold" }, { number: 2 }],
        stateFailure: null,
      },
    });
  }
});

test("shows why a value is hidden", async () => {
  const portals = [seen(1, { name: "Twin" }), seen(2, { name: "Twin" }), seen(3)];
  const failure = {
    code: "state-damaged",
    message: "It is damaged.",
    help: "See:\n  lintel doctor",
  } as const;
  const board = await openBoard(portals, {}, {}, () => ({ failure }));
  const told = async (path: string) => {
    const { status, document } = await json(board, path);
    return [status, (document["failure"] as { code?: string } | undefined)?.code];
  };
  expect(await told("/api/portals/Twin")).toEqual([404, "name-not-unique"]);
  expect(await told("/api/portals/Nobody")).toEqual([404, "no-such-portal"]);
  expect(await told("/api/nothing")).toEqual([404, "no-such-address"]);
  expect((await json(board, "/api/portals/district-3")).document).toMatchObject({
    portal: { settings: null, history: null, stateFailure: failure },
  });
});

test("writes /metrics in the format of Prometheus", async () => {
  const { url } = await openBoard();
  const { host } = new URL(url);
  const { headers, body } = await ask(url, { path: "/metrics", headers: { host } });
  expect(headers["content-type"]).toBe("text/plain; version=0.0.4; charset=utf-8");
  const line =
    /^(?:\n?# HELP (\w+) [^\n]+\n# TYPE \1 (?:counter|gauge|histogram)\n(?:\1(?:_bucket|_sum|_count)?(?:\{(?:\w+="[^"\\\n]*",?)+\})? \S+\n)*)+$/;
  expect(body).toMatch(line);
  expect(body).toContain('lintel_portals{status="drifted"} 1\n');
  expect(body).toContain('lintel_portals{status="in-sync"} 17\n');
  expect(body).toContain("lintel_oldest_check_age_seconds 840\n");
});

test("the oldest check is not that of an invalid file, which is not checked", () => {
  const portals = [seen(1, { status: "invalid", checkedMs: NOW - 9e6 }), seen(2)];
  const oldest = boardMetrics(portals, NOW).find(({ name }) => name.includes("oldest"));
  expect(oldest?.values).toEqual([[{}, 120]]);
});

test("current settings are those of the last apply, with what was verified and what drifted since", () => {
  const portal = seen(1);
  const state = stateOf(portal);
  expect(settingsNow(undefined, [])).toBeUndefined();
  const gone = { path: "informationalBanner.text", proven: "x", live: null, managed: true };
  const now = settingsNow(state, [gone]);
  expect(now?.settings["informationalBanner"]).toEqual({
    bgColor: "#0d5f63",
    fontColor: "white",
    enabled: true,
  });
  const blind = settingsNow({ ...state, history: state.history.slice(0, 2) }, []);
  expect(blind).toMatchObject({
    isWhole: false,
    settings: { informationalBanner: { enabled: true } },
  });
  expect(Object.keys(blind?.settings ?? {})).toEqual([
    "informationalBanner",
    "portalConfigProperties",
  ]);
});

test("compresses pages for clients that accept it", async () => {
  const { url } = await openBoard(fleet(500));
  const { host } = new URL(url);
  const told = async (encoding: string) => {
    const { headers, body } = await ask(url, { headers: { host, "accept-encoding": encoding } });
    return [
      headers["content-encoding"],
      body.includes("Harbour"),
      headers["vary"]?.toString().toLowerCase(),
    ];
  };
  expect(await told("gzip, br")).toEqual(["gzip", false, "accept-encoding"]);
  for (const encoding of ["", "br", "gzip;q=0"]) {
    expect(await told(encoding)).toEqual([undefined, true, "accept-encoding"]);
  }
});
