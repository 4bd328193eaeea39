// Every story that can be applied, carried out on a sandbox: the request is the one that the plan showed, and nothing is left to do.
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parseVersion } from "../../src/catalog/version.js";
import type { Deployment } from "../../schemas/names.js";
import type { Json, JsonObject } from "../../src/lib/json.js";
import { OMITTED } from "../../src/sandbox/options.js";
import { valueAt } from "../../src/plan/spelling.js";
import { identityOf } from "../../src/state/key.js";
import type { Journal, State } from "../../src/state/state.js";
import { PROJECT } from "../support/run.js";
import { pathOf } from "../plan/inputs.js";
import { LINEAGE, SETTLEMENT } from "../state/samples.js";
import { openPlace, type Place } from "./place.js";

const FOLDER = join(PROJECT, "test/scenarios");
/** The day on which the stories are told. */
const DAY_MS = Date.UTC(2026, 5, 15, 12);

interface Written {
  readonly serial: number;
  readonly leaves: Readonly<Record<string, Json | { readonly sent: Json; readonly shown: Json }>>;
  readonly alsoSent?: Readonly<Record<string, Json>>;
  readonly pending?: JsonObject;
}

interface Golden {
  readonly applicable: boolean;
  readonly schedule?: object;
  readonly deployment: Deployment;
  readonly target: string;
  readonly guards: readonly { readonly name: string; readonly isOpen: boolean }[];
}

interface Shown {
  readonly portals: readonly { readonly request: { readonly body: string } | null }[];
}

function read(story: string, name: string): unknown {
  const file = join(FOLDER, story, name);
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
}

function golden(story: string): Golden {
  return read(story, "plan.json") as Golden;
}

function stateFor(
  { serial, leaves, alsoSent = {}, pending }: Written,
  url: string,
  id: string,
): State {
  const applied = Object.entries(leaves).map(([name, value]) => {
    const isPair = typeof value === "object" && value !== null && "sent" in value;
    const { sent, shown } = isPair ? value : { sent: value, shown: value };
    return { path: pathOf(name), sent, shown };
  });
  const seen = Object.fromEntries(applied.map(({ path }) => [String(path[0]), true]));
  const { kind, time, by, planDigest } = SETTLEMENT;
  const settled = { kind, time, by, planDigest, guards: [], changes: [] };
  return {
    lineage: LINEAGE,
    serial,
    portal: identityOf(url, id),
    leaves: applied,
    alsoSent: Object.entries(alsoSent).map(([name, sent]) => ({ path: pathOf(name), sent })),
    history: [{ ...settled, number: 1, live: { after: seen } }],
    ...(pending && { journal: { ...settled, ...journalOf(applied, pending) } }),
  };
}

function journalOf(
  applied: State["leaves"],
  settings: JsonObject,
): Pick<Journal, "settings" | "timeoutMs" | "leaves" | "changes"> {
  const leaves = applied.map(({ path, sent }) => ({ path, sent: valueAt(settings, path) ?? sent }));
  const timeoutMs = 60_000;
  const changes = leaves.map(({ path, sent: after }, at) => ({
    path,
    action: "set" as const,
    cause: "file" as const,
    before: applied[at]?.shown ?? null,
    after,
  }));
  return {
    settings,
    timeoutMs,
    leaves,
    changes: changes.filter(({ before, after }) => before !== after),
  };
}

interface Told {
  readonly place: Place;
  /** The options that make the same plan. */
  readonly flags: string;
}

async function tell(story: string, omitted: (typeof OMITTED)[number]): Promise<Told> {
  const options = (read(story, "options.json") ?? {}) as { version?: string; send?: string };
  const { deployment, target, guards } = golden(story);
  const version = (parseVersion(options.version ?? target) ?? []).join(".");
  const place = await openPlace(
    {
      version,
      deployment,
      unknown: "store",
      omittedParameters: omitted,
      omittedProperties: omitted,
    },
    read(story, "live.json") as JsonObject | undefined,
  );
  const { portalUrl, signInUrl } = place.sandbox;
  const text = readFileSync(join(FOLDER, story, "desired.yaml"), "utf8")
    .replace(/^ {2}url: .*$/m, `  url: ${portalUrl}`)
    .replace(/^ {2}id: .*\n/m, "");
  const sent = options.send
    ? text.replace("portal:\n", `portal:\n  send: ${options.send}\n`)
    : text;
  place.write(`${sent}\nsignIn: { url: "${signInUrl}" }\n`, { head: "" });
  const last = read(story, "last.json") as Written | undefined;
  if (last) place.plant(stateFor(last, portalUrl, "self"));
  const names = new Set(guards.map(({ name }) => name));
  const allowed = [...names].map((name) => ` --allow ${name}`).join("");
  return { place, flags: allowed };
}

// Windows, of which the history tells, have stories of their own beside this file.
const stories = readdirSync(FOLDER).filter(
  (story) => golden(story).applicable && !golden(story).schedule,
);

describe.each(OMITTED)("if the portal may %s what an update omits", (omitted) => {
  test.each(stories)("%s", async (story) => {
    const { place, flags } = await tell(story, omitted);
    const at = { startMs: DAY_MS };
    const planned = await place.run(`plan --output json${flags}`, at);
    const [portal] = (JSON.parse(planned.stdout) as Shown).portals;
    const applied = await place.run(`apply --yes${flags}`, at);
    expect(applied).toMatchObject({ exit: 0 });

    const request = read(story, "request.json") as { readonly body: string } | null;
    expect(place.updates().map(({ body }) => body)).toEqual(request ? [request.body] : []);
    expect(portal?.request?.body).toBe(request?.body);

    const again = await place.run(`plan --detailed-exitcode${flags}`, at);
    expect(again.stdout).toMatch(/^No changes\./m);
    expect(again.exit).toBe(0);
    const serial = place.state()?.serial;
    expect(await place.run(`apply --yes${flags}`, at)).toMatchObject({ exit: 0 });
    expect(place.state()?.serial).toBe(serial);
    expect(place.updates()).toHaveLength(request ? 1 : 0);
  });
});
