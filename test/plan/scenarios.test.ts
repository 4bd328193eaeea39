// Scenarios: a file, a state and a portal, with the expected plan and request beside them.
import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { hasErrors } from "../../src/diagnostic.js";
import { check } from "../../src/document/check/check.js";
import { desiredOf } from "../../src/document/read/desired.js";
import { allowEntries } from "../../src/document/read/leaves.js";
import { desiredAt } from "../../src/document/schedule/at.js";
import type { Node } from "../../src/document/read/tree.js";
import { readSource } from "../../src/document/read/bytes.js";
import type { GuardName } from "../../src/guard.js";
import type { Json, JsonObject } from "../../src/lib/json.js";
import { formatPath } from "../../src/settings.js";
import type { Inputs, Last, Live } from "../../src/plan/inputs.js";
import { digestOfGiven } from "../../src/plan/cause.js";
import { keyOf } from "../../src/catalog/spelling.js";
import { isNothingToDo, makePlan, type Plan } from "../../src/plan/plan.js";
import { updateBody, updateFields } from "../../src/catalog/catalog.js";
import { judge } from "../../src/sandbox/portal/update.js";
import { OMITTED, readSwitches } from "../../src/sandbox/options.js";
import { PROJECT } from "../support/run.js";
import { pathOf } from "./inputs.js";
import { carryOut, MANNERS } from "./model.js";

const FOLDER = join(PROJECT, "test/scenarios");

interface WrittenLast {
  readonly serial: number;
  readonly leaves: Readonly<Record<string, Json | { readonly sent: Json; readonly shown: Json }>>;
  /** What is sent without being managed. */
  readonly alsoSent?: Readonly<Record<string, Json>>;
  /** The settings that an open journal was about to send. */
  readonly pending?: JsonObject;
  /** The leaves whose value was that of a window, applied or pending. */
  readonly windows?: Readonly<Record<string, string>>;
  readonly pendingWindows?: Readonly<Record<string, string>>;
  /** The windows of the file that nobody has applied yet. */
  readonly newWindows?: readonly string[];
  /** Settings of which nobody has applied what stands under `settings`. */
  readonly newOwn?: readonly string[];
}

interface WrittenOptions {
  readonly view?: "signed-in" | "anonymous";
  readonly version?: string;
  /** The moment of the run, for a file with a schedule. */
  readonly at?: string;
  /** Why there is no live.json. */
  readonly unread?: "never" | "not-asked" | "failed";
  readonly allow?: readonly GuardName[];
  readonly send?: Inputs["options"]["send"];
  readonly due?: Inputs["options"]["due"];
  readonly compareWith?: Inputs["options"]["compareWith"];
}

function readJson(story: string, name: string): unknown {
  const file = join(FOLDER, story, name);
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
}

function inputsOf(story: string): Inputs {
  const cwd = join(FOLDER, story);
  const file = "desired.yaml";
  const { root, diagnostics } = check(file, readSource({ file, cwd }), { cwd, env: {} });
  if (!root || hasErrors(diagnostics)) throw new Error(JSON.stringify(diagnostics, undefined, 2));
  const { target, portal, deployment, drift } = desiredOf(file, root);
  const options = (readJson(story, "options.json") ?? {}) as WrittenOptions;
  return {
    toolVersion: "0.1.0",
    portal: { name: portal.name, url: portal.url ?? "", id: portal.id },
    target,
    deployment,
    ...desired(root, options.at),
    allow: { entries: allowEntries(root), names: options.allow ?? [], drift },
    today: "2026-06-15",
    last: lastOf(
      readJson(story, "last.json") as WrittenLast | undefined,
      desired(root, options.at).desired,
    ),
    live: liveOf(readJson(story, "live.json") as JsonObject | undefined, options),
    options: {
      send: options.send ?? "all",
      ...(options.due && { due: options.due }),
      compareWith: options.compareWith ?? "live-and-last",
    },
  };
}

function desired(
  root: Node,
  at = "2026-06-15T12:00:00Z",
): Pick<Inputs, "desired" | "schedule" | "atMs"> {
  const atMs = Date.parse(at);
  const { leaves, schedule } = desiredAt(root, atMs);
  return { desired: leaves, atMs, ...(schedule && { schedule }) };
}

/** Somebody applied all that the file gives at any time, but for what is new. */
function lastOf(written: WrittenLast | undefined, wanted: Inputs["desired"]): Last | undefined {
  if (!written) return undefined;
  const given = new Map(
    wanted.map(({ path, gives }) => [
      keyOf(path),
      gives
        ?.filter(({ window }) =>
          window
            ? !written.newWindows?.includes(window.name)
            : !written.newOwn?.includes(formatPath(path)),
        )
        .map(digestOfGiven),
    ]),
  );
  const { serial, leaves, alsoSent = {}, pending, windows = {}, pendingWindows = {} } = written;
  const windowsOf = (named: Readonly<Record<string, string>>) =>
    Object.entries(named).map(([name, window]) => ({ path: pathOf(name), window }));
  return {
    lineage: "00000000-0000-4000-8000-000000000001",
    serial,
    leaves: Object.entries(leaves).map(([name, value]) => {
      const isPair = typeof value === "object" && value !== null && "sent" in value;
      const { sent, shown } = isPair ? value : { sent: value, shown: value };
      const known = given.get(keyOf(pathOf(name)));
      return { path: pathOf(name), sent, shown, ...(known && { given: known }) };
    }),
    alsoSent: Object.entries(alsoSent).map(([name, sent]) => ({ path: pathOf(name), sent })),
    seen: [...new Set(Object.keys(leaves).map((name) => name.split(".")[0] ?? ""))],
    windows: windowsOf(windows),
    ...(pending && {
      pending: {
        kind: "apply",
        settings: pending,
        windows: windowsOf(pendingWindows),
        planDigest: "0",
        unknownForMs: 0,
        arrival: "unknown",
      },
    }),
  };
}

function liveOf(settings: JsonObject | undefined, options: WrittenOptions): Live {
  if (!settings) return { kind: "unread", why: options.unread ?? "never" };
  const { view = "signed-in", version } = options;
  return { kind: "read", view, settings, ...(version !== undefined && { version }) };
}

/** What would be sent: the settings by parameter, and the form as it travels. */
function requestOf({ request }: Plan): Json {
  if (!request) return null;
  const fields = updateFields(request.settings).map(([name]) => name);
  return { ...request, fields, body: updateBody(request.settings) };
}

function expectGolden(story: string, name: string, value: unknown): void {
  const file = join(FOLDER, story, name);
  const text = `${JSON.stringify(value, undefined, 2)}\n`;
  if (process.env["UPDATE_GOLDEN"]) writeFileSync(file, text);
  expect(text).toBe(readFileSync(file, "utf8"));
}

describe("each scenario", () => {
  const stories = readdirSync(FOLDER);
  test.each(stories)("%s", (story) => {
    const given = inputsOf(story);
    const plan = makePlan(given);
    const { request, ...rest } = plan;
    expectGolden(story, "plan.json", rest);
    expectGolden(story, "request.json", requestOf(plan));
    expect(request === null || plan.applicable).toBe(true);
  });

  test.each(stories)("%s, and a second plan is empty", (story) => {
    const given = inputsOf(story);
    const plan = makePlan(given);
    if (!plan.applicable) return;
    for (const manners of MANNERS) {
      const { live } = given;
      const { settings, last } = carryOut(plan, live.kind === "read" ? live.settings : {}, manners);
      const again = live.kind === "read" ? { ...live, settings } : live;
      expect(isNothingToDo(makePlan({ ...given, last, live: again }))).toBe(true);
    }
  });

  test.each(stories)("%s, and the sandbox accepts its request", (story) => {
    const given = inputsOf(story);
    const { request } = makePlan(given);
    if (!request) return;
    const { live, deployment, target } = given;
    const held = live.kind === "read" ? live.settings : {};
    const version = (live.kind === "read" ? live.version : undefined) ?? target.asked;
    const form = new URLSearchParams(updateBody(request.settings));
    for (const omitted of OMITTED) {
      const switches = readSwitches({
        version,
        deployment,
        omittedParameters: omitted,
        omittedProperties: omitted,
        unknown: "store",
      });
      const verdict = judge(switches, held, form);
      if ("problems" in verdict) throw new Error(verdict.problems.join("\n"));
      if (live.kind !== "read") continue;
      const again = { ...live, settings: verdict.settings };
      const named = makePlan({ ...given, live: again }).changes.map(({ action }) => action);
      expect(named.filter((action) => action === "set" || action === "default")).toEqual([]);
    }
  });
});
