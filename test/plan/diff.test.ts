// The truth table of a leaf: the action for every combination of desired, last sent, journal and live value.
import { describe, expect, test } from "vitest";
import { makePlan } from "../../src/plan/plan.js";
import type { Json } from "../../src/lib/json.js";
import type { AppliedLeaf } from "../../src/settings.js";
import { applied, inputs, lastOf, NEVER, seen, want } from "./inputs.js";

const PATH = "portalConfigProperties.tokenExpiration";
const DOCUMENTED = 120;

const DESIRED = {
  "      ": [],
  "60    ": [want(PATH, 60)],
  "120   ": [want(PATH, DOCUMENTED)],
  default: [want(PATH, DOCUMENTED, "default")],
};

/** What was sent, and after the arrow what the portal showed of it; "nothing" is null. */
function lastOfCell(cell: string): AppliedLeaf[] {
  if (cell === "") return [];
  const [sent = null, shown = sent] = cell.split("→").map(valueOf);
  return [applied(PATH, sent, shown)];
}

function valueOf(cell: string): Json {
  return cell.trim() === "nothing" ? null : Number(cell);
}

// desired | last sent → shown | open journal | live | what becomes of it, and what is said
const ROWS = `
        |             |     | unread  |
        |             |     | nothing |
        |             |     | 60      |
        |             | 60  | unread  |
        |             | 60  | 60      |
        | 60          |     | unread  | release 60 → 60 undo no-longer-sent
        | 60          |     | nothing | release nothing → nothing drift undo
        | 60          |     | 60      | release 60 → 60 undo
        | 60          |     | 90      | release 90 → 90 drift undo
        | 60 → 61     |     | 61      | release 61 → 61 undo
        | 60          | 90  | unread  | release 60 → 60 undo no-longer-sent
        | 60          | 90  | 90      | release 90 → 90 undo
60      |             |     | unread  | set nothing → 60
60      |             |     | nothing | set nothing → 60
60      |             |     | 60      | adopt 60 → 60
60      |             |     | 90      | set 90 → 60
60      |             | 60  | unread  | set nothing → 60 outcome-unknown
60      |             | 60  | nothing | set nothing → 60
60      |             | 60  | 60      | adopt 60 → 60
60      |             | 60  | 90      | set 90 → 60
60      | 60          |     | unread  |
60      | 60          |     | nothing | set nothing → 60 drift
60      | 60          |     | 60      |
60      | 60          |     | 90      | set 90 → 60 drift
60      | 60 → 61     |     | unread  |
60      | 60 → 61     |     | 61      | [shown-otherwise]
60      | 60 → 61     |     | 60      | adopt 60 → 60 drift
60      | 60 → 61     |     | 90      | set 90 → 60 drift
60      | 60 → 61     |     | nothing | set nothing → 60 drift
60      | 60 → nothing|     | nothing | [shown-otherwise]
60      | 60          | 90  | unread  | set 60 → 60 outcome-unknown
60      | 60          | 90  | 60      |
60      | 60          | 90  | 90      | set 90 → 60
60      | 60          | 90  | 75      | set 75 → 60 drift
60      | 60          | 60  | unread  |
60      | 60          | 60  | 60      |
60      | 90          |     | unread  | set 90 → 60
60      | 90          |     | nothing | set nothing → 60 drift
60      | 90          |     | 60      | adopt 60 → 60 drift
60      | 90          |     | 90      | set 90 → 60
60      | 90          |     | 75      | set 75 → 60 drift
60      | 90 → 60     |     | 60      | adopt 60 → 60
60      | 90          | 60  | unread  | set 90 → 60 outcome-unknown
60      | 90          | 60  | nothing | set nothing → 60 drift
60      | 90          | 60  | 60      | adopt 60 → 60
60      | 90          | 60  | 90      | set 90 → 60
60      | 90          | 90  | unread  | set 90 → 60
120     | 120         |     | nothing | set nothing → 120 drift
default |             |     | unread  | default nothing → 120
default |             |     | nothing | adopt nothing → 120
default |             |     | 120     | adopt 120 → 120
default |             |     | 60      | default 60 → 120
default | 120         |     | unread  |
default | 120         |     | nothing |
default | 120         |     | 120     |
default | 120         |     | 60      | default 60 → 120 drift
default | 120 →nothing|     | nothing |
default | 120 →nothing|     | 120     |
default | 120 → 121   |     | 121     | [shown-otherwise]
default | 60          |     | unread  | default 60 → 120
default | 60          |     | nothing | adopt nothing → 120 drift
default | 60          |     | 60      | default 60 → 120
default | 60          | 120 | unread  | default 60 → 120 outcome-unknown
default | 60          | 120 | nothing | adopt nothing → 120 drift
default | 60          | 120 | 120     | adopt 120 → 120
`;

describe("desired | last | journal | live | change", () => {
  const rows = ROWS.split("\n").filter((row) => row.includes("|"));
  test.each(rows)("%s", (row) => {
    const [file = "", last = "", journal = "", live = "", expected = ""] = row.split("|");
    const desired = Object.entries(DESIRED).find(([name]) => name.trim() === file.trim())?.[1];
    const leaves = lastOfCell(last.trim());
    const pending = journal.trim()
      ? { portalConfigProperties: { tokenExpiration: valueOf(journal) } }
      : undefined;
    const held = valueOf(live);
    const plan = makePlan(
      inputs({
        desired: desired ?? [],
        last: leaves.length > 0 || pending ? lastOf(leaves, pending) : undefined,
        live:
          live.trim() === "unread"
            ? NEVER
            : seen(held === null ? {} : { portalConfigProperties: { tokenExpiration: held } }),
      }),
    );
    const shown = (value: Json) => (value === null ? "nothing" : JSON.stringify(value));
    const changes = plan.changes.map(({ action, before, after, notes }) =>
      [action, shown(before), "→", shown(after), ...notes.map(({ code }) => code)].join(" "),
    );
    const notes = plan.notes.filter(({ path }) => path).map(({ code }) => `[${code}]`);
    expect([...changes, ...notes].join(" ")).toBe(expected.trim());
  });
});

test("ignores key order and CR LF", () => {
  const link = { title: "Terms", url: "https://www.example.org" };
  const plan = makePlan(
    inputs({
      desired: [
        want("informationalBanner.text", "one\ntwo"),
        want("portalConfigProperties.footerLinks", [link]),
      ],
      last: lastOf([
        applied("informationalBanner.text", "one\r\ntwo"),
        applied("portalConfigProperties.footerLinks", [link]),
      ]),
      live: seen({
        informationalBanner: { text: "one\r\ntwo" },
        portalConfigProperties: { footerLinks: [{ url: link.url, title: link.title }] },
      }),
    }),
  );
  expect(plan.changes).toEqual([]);
  expect(plan.request).toBeNull();
});

test("treats values missing from an anonymous view as unread", () => {
  const plan = makePlan(
    inputs({
      desired: [want(PATH, 60), want("informationalBanner.text", "new")],
      last: lastOf([applied(PATH, 60), applied("informationalBanner.text", "old")]),
      live: {
        kind: "read",
        view: "anonymous",
        settings: { informationalBanner: { text: "other" } },
      },
    }),
  );
  expect(plan.changes).toMatchObject([
    { path: ["informationalBanner", "text"], before: "other", notes: [{ code: "drift" }] },
  ]);
  expect(plan).toMatchObject({ applicable: false, reason: { code: "anonymous-view" } });
  expect(plan.request).toBeNull();
});

test("suggests the default, the switch or nothing to undo a released leaf", () => {
  const paths = [
    "anonymousAccessNotice.title",
    "portalConfigProperties.surveyUrl",
    "portalConfigProperties.showCreateDashboard",
    "blockBetaApps",
  ];
  const plan = makePlan(
    inputs({ last: lastOf(paths.map((path) => applied(path, "x"))), live: NEVER }),
  );
  const undone = plan.changes.map(({ path, notes }) => [
    path.join("."),
    notes[0]?.help?.split("\n  ")[1],
  ]);
  expect(Object.fromEntries(undone)).toEqual({
    "anonymousAccessNotice.title": "enabled: false",
    "portalConfigProperties.surveyUrl": undefined,
    "portalConfigProperties.showCreateDashboard": "showCreateDashboard: !default",
    blockBetaApps: undefined,
  });
  expect(plan.request).toBeNull();
});

test("does not suggest the switch if the file already sets it", () => {
  const plan = makePlan(
    inputs({
      desired: [want("informationalBanner.enabled", false)],
      last: lastOf([
        applied("informationalBanner.enabled", true),
        applied("informationalBanner.text", "x"),
      ]),
      live: {
        kind: "read",
        view: "signed-in",
        settings: { informationalBanner: { enabled: true, text: "x" } },
      },
    }),
  );
  const released = plan.changes.find(({ action }) => action === "release");
  expect(released?.notes).toEqual([
    { code: "undo", message: "It is left as it is and is no longer managed." },
  ]);
});
