// Rollout, activity, calendar and workers: what these pages say and link to.
import { describe, expect, test } from "vitest";
import { toText, type Html } from "../../../../src/lib/html.js";
import { activityPage } from "../../../../src/serve/dashboard/views/activity-page.js";
import { calendarPage } from "../../../../src/serve/dashboard/views/calendar-page.js";
import { rolloutPage } from "../../../../src/serve/dashboard/views/rollout-page.js";
import { workersPage } from "../../../../src/serve/dashboard/views/workers-page.js";
import { ask } from "../ask.js";
import { openBoard, seen } from "../open.js";
import { ACTIVITY, HOUR_MS, NOW, PLANNED, ROLLOUT, WORKERS } from "./sample.js";

function textOf(content: Html): string {
  return toText(content)
    .replaceAll(/<[^>]+>/g, " ")
    .replaceAll(/\s+/g, " ");
}

describe("rollout", () => {
  test("counts the portals that have the commit, and says why the others do not", () => {
    const { body, title } = rolloutPage(ROLLOUT);
    const text = textOf(body);
    expect(title).toContain("f06eee7");
    expect(text).toContain("40 of 46 portals have f06eee7abc12");
    expect(text).toContain("6 portals without this commit");
    expect(text).toMatch(/district-3.*Unreachable.*the connection was refused/);
    expect(toText(body)).toContain('href="/portals/gis.example.com-district-3"');
  });

  test("marks the commit that is shown among the choices", () => {
    expect(toText(rolloutPage(ROLLOUT).body)).toMatch(
      /href="\/rollout\?commit=f06eee7abc[0-9a-f]+"\s+aria-current="true"/,
    );
  });

  test("says that all have it, and that nothing was applied", () => {
    const portals = ROLLOUT.portals.filter(({ isReached }) => isReached);
    expect(textOf(rolloutPage({ ...ROLLOUT, portals }).body)).toContain("40 of 40 portals have");
    const none = rolloutPage({ ...ROLLOUT, commit: undefined, choices: [], portals: [] });
    expect(textOf(none.body)).toContain("No portal was applied from a commit yet.");
  });
});

test("counts a portal for a commit in the headline as in the list, and refuses unknown commits", async () => {
  const [newest, older] = ["a".repeat(40), "b".repeat(40)];
  const portals = [
    seen(1, { commit: newest }),
    seen(2, { commit: older }),
    seen(3, { commit: older, status: "pending" }),
    seen(4, { commit: "c".repeat(40), status: "held" }),
  ];
  const known = [newest, older].map((commit) => ({ commit, timeMs: NOW - HOUR_MS }));
  const { url } = await openBoard(portals, {}, {}, undefined, {
    commits: () => Promise.resolve(known),
  });
  const page = async (query: string) => {
    const { status, body } = await ask(url, {
      path: `/rollout${query}`,
      headers: { host: new URL(url).host },
    });
    return { status, text: body.replaceAll(/<[^>]+>/g, " ").replaceAll(/\s+/g, " ") };
  };
  for (const [query, headline] of [
    ["", "2 of 4 portals have aaaaaaaaaaaa"],
    ["?commit=bbbb", "3 of 4 portals have bbbbbbbbbbbb"],
    ["?commit=cccc", "1 of 4 portals has cccccccccccc"],
  ]) {
    const { text } = await page(query ?? "");
    expect(text).toContain(headline);
    expect(text).toMatch(/aaaaaaaaaaaa 2 portals.*bbbbbbbbbbbb 3 portals.*cccccccccccc 1 portal/);
  }
  for (const commit of ["zzzz", "dddd"]) {
    expect(await page(`?commit=${commit}`)).toEqual({
      status: 404,
      text: "The repository has no such commit. ",
    });
  }
});

describe("activity", () => {
  test("lists each event by day, the newest first", () => {
    const text = textOf(activityPage(ACTIVITY).body);
    const [today = "", before = ""] = text.split("Sunday, 14 June 2026");
    expect(today).toMatch(/Monday, 15 June 2026 11:30 Drift .* 10:00 Applied .* 02:00 Failed/);
    expect(today.match(/from the file\. Commit f06eee7abc12/g)).toHaveLength(40);
    expect(before).toContain("The window “Elections” opened.");
  });

  test("shows what was recorded last of one moment first, and counts events", () => {
    const [drift] = ACTIVITY.events;
    if (!drift) throw new Error("The sample has no event.");
    const of = (id: string) => ({ ...drift, id, message: `Event ${id}.` });
    const text = textOf(activityPage({ ...ACTIVITY, events: [of("cause"), of("result")] }).body);
    expect(text).toMatch(/Event result\..*Event cause\./);
    expect(text).toContain("All 2 Drift 2");
  });

  test("shows one kind, and keeps it with the day in its links", () => {
    const { body } = activityPage({ ...ACTIVITY, kind: "drift", day: "2026-06-15" });
    const markup = toText(body);
    expect(markup).toContain('href="/activity?day=2026-06-15&amp;kind=drift"');
    expect(markup).toContain('href="/activity?day=2026-06-13&amp;kind=drift"');
    expect(textOf(body)).not.toContain("from the file.");
    expect(textOf(body)).toContain("Applied 40");
  });

  test("leaves out the oldest of very many, and counts them", () => {
    const events = ACTIVITY.events.flatMap((event) =>
      Array.from({ length: 50 }, (_, at) => ({ ...event, id: `${event.id}-${at}` })),
    );
    const text = textOf(activityPage({ ...ACTIVITY, events }).body);
    expect(text).toContain("and 1,200 earlier events of these days");
    expect(text).toContain("Monday, 15 June 2026 11:30 Drift");
    expect(text).not.toContain("Sunday, 14 June 2026");
  });

  test("says that there are none", () => {
    expect(textOf(activityPage({ events: [], stamp: "1" }).body)).toContain("No events");
  });
});

describe("calendar", () => {
  const calendar = (more = {}) =>
    calendarPage({ windows: PLANNED, nowMs: NOW, stamp: "1", ...more });
  /** The day of each cell and what stands in it. */
  const cells = (markup: string) =>
    [...markup.matchAll(/<div class="cell[^"]*">([^]*?)<\/div>/g)].map(([, cell = ""]) =>
      cell
        .replaceAll(/<[^>]+>/g, " ")
        .replaceAll(/\s+/g, " ")
        .trim(),
    );

  test("shows four weeks from Monday, each window on each of its days by its own clock", () => {
    const days = cells(toText(calendar().body));
    expect(days).toHaveLength(28);
    expect(days[0]).toBe("15 13:00 Maintenance 12 portals");
    expect(days[9]).toContain("08:00 Freeze district-40");
    expect(days[10]).toContain("until 08:00 Freeze district-40");
    expect(days[16]).toMatch(/^1 July.*and 1 more$/);
  });

  test("a window until midnight does not touch the next day", () => {
    const untilMs = Date.parse("2026-06-17T00:00+02:00");
    const portal = { key: "k", name: "north" };
    const window = { name: "Night", fromMs: untilMs - 2 * HOUR_MS, untilMs, portal };
    const at = (timeZone: string) =>
      cells(toText(calendar({ windows: [{ ...window, timeZone }] }).body)).flatMap((cell, day) =>
        cell.includes("Night") ? [day] : [],
      );
    expect(at("Europe/Vienna")).toEqual([1]);
    expect(at("Asia/Tokyo")).toEqual([2]);
  });

  test("pages by four weeks, from any day, and falls back to today", () => {
    const markup = toText(calendar({ from: "2026-07-15" }).body);
    expect(markup).toContain("13 July to 9 August 2026");
    expect(markup).toContain('href="/calendar?from=2026-06-15"');
    expect(markup).toContain('href="/calendar?from=2026-08-10"');
    expect(toText(calendar({ from: "2026-02-31" }).body)).toContain("15 June to 12 July 2026");
  });

  test("lists windows with links to their portals, those that opened before first", () => {
    const { body } = calendar({ from: "2026-06-22" });
    const text = textOf(body);
    expect(text.indexOf("Opened before")).toBeLessThan(text.indexOf("Monday, 22 June 2026"));
    expect(text).not.toContain("Monday, 15 June 2026");
    expect(toText(body)).toContain('href="/portals/gis.example.com-district-40"');
  });
});

describe("workers", () => {
  test("shows each worker, why one takes no jobs, warnings and failed jobs", () => {
    const text = textOf(workersPage(WORKERS).body);
    expect(text).toMatch(
      /worker-a\.example\.com process 4711 north 1\.4\.0 schedule, drift, files/,
    );
    expect(text).toContain("checks district-3, district-4");
    expect(text).toContain(
      "takes no jobs The commit f06eee7abc12 cannot be reached from main in its clone.",
    );
    expect(text).toContain("2 warnings");
    expect(text).toMatch(/The checks of 1 portal keep failing.*district-3/);
    expect(text).toContain("The queue is drained");
  });

  test("says that no worker runs, and that there is no queue", () => {
    const none = { processes: [], warnings: [], dead: [], draining: false };
    expect(textOf(workersPage({ queue: none, stamp: "1" }).body)).toContain(
      "No worker is running.",
    );
    expect(textOf(workersPage({ stamp: "1" }).body)).toContain("No queue is used");
  });
});
