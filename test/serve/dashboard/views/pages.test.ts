// Rollout, activity, calendar and workers: what these pages say and link to.
import { describe, expect, test } from "vitest";
import { toText, type Html } from "../../../../src/lib/html.js";
import { activityPage } from "../../../../src/serve/dashboard/views/activity-page.js";
import { calendarPage } from "../../../../src/serve/dashboard/views/calendar-page.js";
import { rolloutPage } from "../../../../src/serve/dashboard/views/rollout-page.js";
import { workersPage } from "../../../../src/serve/dashboard/views/workers-page.js";
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
    expect(text).toContain("40 of 46 at f06eee7abc12");
    expect(text).toContain("6 portals without it");
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
    expect(textOf(rolloutPage({ ...ROLLOUT, portals }).body)).toContain("All portals have it.");
    const none = rolloutPage({ ...ROLLOUT, commit: undefined, choices: [], portals: [] });
    expect(textOf(none.body)).toContain("No portal was applied from a commit yet.");
  });
});

describe("activity", () => {
  test("groups events by day, the newest first, and the same of many portals in one line", () => {
    const text = textOf(activityPage(ACTIVITY).body);
    const [today = "", before = ""] = text.split("Sunday, 14 June 2026");
    expect(today).toMatch(/Monday, 15 June 2026 11:30 Drift .* 10:00 Applied .* 02:00 Failed/);
    expect(today.match(/by ana\. at f06eee7abc12 40 portals/g)).toHaveLength(1);
    expect(before).toContain("The window “Elections” opened.");
  });

  test("shows one kind, and keeps it with the day in its links", () => {
    const { body } = activityPage({ ...ACTIVITY, kind: "drift", day: "2026-06-15" });
    const markup = toText(body);
    expect(markup).toContain('href="/activity?day=2026-06-15&amp;kind=drift"');
    expect(markup).toContain('href="/activity?day=2026-06-13&amp;kind=drift"');
    expect(textOf(body)).not.toContain("by ana.");
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
