// The page of one portal: what it says and links to for each status.
import { describe, expect, test } from "vitest";
import { toText } from "../../../../src/lib/html.js";
import { portalPage, type PortalPage } from "../../../../src/serve/dashboard/views/portal-page.js";
import type { Snapshot } from "../../../../src/serve/snapshot.js";
import {
  COMMIT,
  DAY_MS,
  DRIFT,
  entry,
  HOUR_MS,
  NOW,
  OLDER,
  PENDING,
  portal,
  SETTINGS,
  snapshot,
  state,
  WINDOWS,
} from "./sample.js";

function render(more: Partial<PortalPage>): string {
  return toText(portalPage(portal(more)).body);
}

function textOf(markup: string): string {
  return markup
    .replaceAll(/<[^>]+>/g, " ")
    .replaceAll(/&quot;/g, '"')
    .replaceAll(/\s+/g, " ");
}

/** The commands that the page offers to copy. */
function commandsIn(markup: string): string[] {
  return [...markup.matchAll(/<p class="command">\s*<code>([^<]*)<\/code/g)].map(
    ([, command = ""]) => command.replaceAll("&#39;", "'"),
  );
}

function failure(code: string, help: string | null): NonNullable<Snapshot["failure"]> {
  return { code, message: "It fails.", help, sinceMs: NOW - HOUR_MS };
}

describe("the difference between two applies", () => {
  const between = (from: number, to: number) => {
    const markup = render({ compare: { from, to } });
    return textOf(markup.slice(markup.indexOf('id="comparison"'), markup.indexOf('id="history"')));
  };

  test("lists each setting that differs, in both directions", () => {
    expect(between(3, 4)).toContain("From apply 3 to apply 4: 1 setting");
    expect(between(2, 4)).toMatch(/blockBetaApps.*true.*false/);
    expect(between(4, 2)).toMatch(/blockBetaApps.*false.*true/);
  });

  test("is empty between an apply and itself", () => {
    expect(between(4, 4)).toContain("From apply 4 to apply 4: no setting differs");
  });

  test("says that values are no longer kept", () => {
    expect(between(1, 4)).toContain("The values of apply 1 are not kept.");
    expect(between(4, 77)).toContain("The values of apply 77 are not kept.");
  });

  test("offers only entries that keep their values", () => {
    expect([...render({}).matchAll(/<option value="(\d+)"/g)].map(([, number]) => number)).toEqual([
      "4",
      "3",
      "2",
      "4",
      "3",
      "2",
    ]);
    const lonely = state({ history: [entry(1, { live: { after: SETTINGS } })] });
    expect(render({ state: lonely })).not.toContain("<option");
  });
});

describe("the next command", () => {
  test.each<[why: string, seen: Partial<Snapshot>, commands: readonly string[]]>([
    ["none in sync", {}, []],
    [
      "apply for pending changes",
      { status: "pending", waiting: PENDING },
      ["lintel apply portals/north.yaml"],
    ],
    [
      "quotes a file for the shell",
      { status: "pending", waiting: PENDING, file: "north west's.yaml" },
      [String.raw`lintel apply 'north west'\''s.yaml'`],
    ],
    ["unhold for a hold", { status: "held" }, ["lintel unhold portals/north.yaml"]],
    ["validate for an invalid file", { status: "invalid" }, ["lintel validate portals/north.yaml"]],
    [
      "doctor for an unreachable portal",
      { status: "unreachable", failure: failure("not-reachable", null) },
      ["lintel doctor portals/north.yaml"],
    ],
    [
      "that of the failure's help",
      { status: "held", failure: failure("held", "End it:\n  lintel unhold x.yaml") },
      ["lintel unhold x.yaml"],
    ],
    [
      "pull or plan for drift",
      { status: "drifted", drift: DRIFT.slice(0, 1) },
      [
        "lintel pull portals/north.yaml --path informationalBanner.text",
        "lintel plan portals/north.yaml",
      ],
    ],
    [
      "explain and plan for drift that a guard protects",
      { status: "drifted", drift: DRIFT.slice(0, 1), guards: ["overwrite-drift"] },
      [
        "lintel pull portals/north.yaml --path informationalBanner.text",
        "lintel explain overwrite-drift",
        "lintel plan portals/north.yaml",
      ],
    ],
  ])("%s", (_, seen, commands) => {
    expect(commandsIn(render({ snapshot: snapshot(seen) }))).toEqual(commands);
  });
});

test("a guard that blocks shows its reason, and never the words that allow it", () => {
  const markup = render({
    snapshot: snapshot({
      status: "pending",
      waiting: PENDING,
      guards: ["disable-notice"],
      failure: failure(
        "guarded",
        "To allow it:\n  lintel apply x --allow disable-notice\n  allow: []",
      ),
      blockers: [{ guard: "disable-notice", reason: "The notice would be switched off." }],
    }),
  });
  expect(textOf(markup)).toContain("disable-notice The notice would be switched off.");
  expect(commandsIn(markup)).toEqual([
    "lintel explain disable-notice",
    "lintel plan portals/north.yaml",
  ]);
  // The history of this portal also has a guard that was allowed on the command line.
  expect(markup).toContain("was allowed for anonymousAccessNotice on the command line");
  expect(markup).not.toMatch(/--allow|allow:|drift: restore/);
});

test("pending changes stand in one list, as in the plan", () => {
  const markup = render({ snapshot: snapshot({ status: "pending", waiting: PENDING }) });
  const pending = markup.slice(markup.indexOf('id="pending"'), markup.indexOf('id="windows"'));
  const names = [...pending.matchAll(/<h4><code>([^<]*)/g)].map(([, name]) => name);
  expect(names).toEqual(["informationalBanner", "anonymousAccessNotice", "blockBetaApps"]);
});

test("pending changes name the commit, its author and the window that they come from", () => {
  const text = textOf(render({ snapshot: snapshot({ status: "pending", waiting: PENDING }) }));
  expect(text).toContain("3 changes: the file, last changed in f06eee7abc12 by Ana Petrova");
  expect(text).toContain("1 change: the window “Elections” opened");
});

test("an uncommitted edit is not shown with the last commit of the file", () => {
  const source = { path: "portals/north.yaml", commit: COMMIT, author: "Ana", isDirty: true };
  const text = textOf(
    render({ snapshot: snapshot({ status: "pending", waiting: PENDING }), source }),
  );
  expect(text).toContain("3 changes: the file has uncommitted changes");
  expect(text).toContain("portals/north.yaml with uncommitted changes");
  expect(text).not.toContain("last changed in");
});

test("changes of the banner and a notice are shown as pictures before and after", () => {
  const { body, style } = portalPage(
    portal({ snapshot: snapshot({ status: "pending", waiting: PENDING }) }),
  );
  const markup = toText(body);
  const pending = markup.slice(markup.indexOf('id="pending"'), markup.indexOf('id="windows"'));
  const figures = [...pending.matchAll(/<figure>([^]*?)<\/figure>/g)].map(([all]) => textOf(all));
  expect(figures).toEqual([
    expect.stringContaining("Before The portal is read-only on Saturday"),
    expect.stringContaining("After Elections on 28 June"),
    expect.stringContaining("Before Terms of use"),
    expect.stringContaining("After No notice is shown."),
  ]);
  expect(style).toMatch(/\.c\d \.banner \{ background: #7a1f3d/);
});

test("file and commits link to the forge, and are plain text without a repository", () => {
  const markup = render({});
  const base = "https://gitlab.example.com/gis/portals/-";
  expect(markup).toContain(`href="${base}/blob/${COMMIT}/portals/north.yaml"`);
  expect(markup).toContain(`href="${base}/commit/${OLDER}"`);
  expect(render({ repository: undefined })).not.toContain("/commit/");
});

test("a broken file leaves the name and the history", () => {
  const seen = snapshot({ status: "invalid", failure: failure("file-invalid", null) });
  const text = textOf(render({ snapshot: seen }));
  expect(text).toContain("Northern district");
  expect(text).toContain("Apply 4");
});

test("a file with several errors shows all of them", () => {
  const errors = ['north.yaml:3:1: The key "vrs" is not known.', "north.yaml:7:9: It is missing."];
  const message = `${errors[0]} (and 1 more)`;
  const failing = { ...failure("file-invalid", null), message, errors };
  const text = textOf(render({ snapshot: snapshot({ status: "invalid", failure: failing }) }));
  for (const each of errors) expect(text).toContain(each);
  expect(text).not.toContain("and 1 more");
});

test("shows why a state cannot be read instead of the history", () => {
  const text = textOf(
    render({
      state: undefined,
      stateFailure: { code: "state-damaged", message: "It is no JSON.", help: "Restore it." },
    }),
  );
  expect(text).toContain("The state cannot be read: It is no JSON. [state-damaged] Restore it.");
  expect(text).not.toContain("Nothing has been applied yet");
});

describe("windows", () => {
  const list = (windows: Snapshot["windows"], nowMs = NOW) => {
    const markup = render({ snapshot: snapshot({ windows }), nowMs });
    return textOf(markup.slice(markup.indexOf('id="windows"'), markup.indexOf('id="homes"')));
  };

  test("stand by the clock of their file, with what comes next", () => {
    expect(list(WINDOWS)).toMatch(
      /Maintenance open, closes .* Mon, 15 June 13:00 to 17:00 Europe\/Vienna .*Elections opens/,
    );
    const fromMs = Date.parse("2026-10-25T00:00+02:00");
    const night = {
      name: "Night",
      fromMs,
      untilMs: fromMs + 5 * HOUR_MS,
      timeZone: "Europe/Vienna",
    };
    // The clock is put back meanwhile.
    expect(list([night])).toContain("Sun, 25 October 00:00 to 04:00 Europe/Vienna");
  });

  test("shows no countdown for windows that were never applied", () => {
    const [open] = WINDOWS;
    const coming = { name: "New", fromMs: NOW + DAY_MS, untilMs: NOW + 2 * DAY_MS };
    for (const window of [open as (typeof WINDOWS)[number], coming]) {
      const text = list([{ ...window, isUnapplied: true }]);
      expect(text).toContain("opens only after an apply");
      expect(text).not.toMatch(/open, closes|opens 2026/);
    }
  });

  test("are left out once they are over", () => {
    const over = { name: "Over", fromMs: NOW - DAY_MS, untilMs: NOW };
    expect(list([over])).not.toContain("Over");
  });
});

test("names, messages and settings are escaped", () => {
  const harm = '<script>alert("1")</script><img src=x onerror="alert(1)">';
  const markup = render({
    snapshot: snapshot({
      name: harm,
      file: harm,
      url: harm,
      pool: harm,
      status: "unreachable",
      failure: { code: "x", message: harm, help: `${harm}\n  ${harm}`, sinceMs: NOW },
      drift: [{ path: "informationalBanner.text", proven: harm, live: harm + harm, managed: true }],
      waiting: [
        { path: harm, action: "set", cause: "file", window: null, before: null, after: harm },
      ],
      windows: [{ name: harm, fromMs: NOW, untilMs: NOW + 1, timeZone: harm }],
      guards: [harm],
    }),
    source: { author: harm, subject: harm, commit: harm, path: harm },
    stateFailure: { code: "x", message: harm, help: harm },
  });
  expect(markup).not.toContain("<script>alert");
  expect(markup).not.toContain("<img");
});
