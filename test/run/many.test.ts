// Processes that apply different files to one portal at the same time: each is applied, one after the other.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { State } from "../../src/state/state.js";
import { identityOf } from "../../src/state/key.js";
import { makeServer } from "../state/repositories.js";
import { lintel } from "../support/run.js";
import { headFor, isUpdate, openPlace, type Place } from "./place.js";

interface Site {
  readonly state: string;
  /** A folder of its own for each process, with a file of that name. */
  readonly folderOf: (name: string) => string;
  readonly env: Readonly<Record<string, string>>;
  readonly stored: () => State | undefined;
}

function inFolder(place: Place): Site {
  const folderOf = (name: string) => {
    const folder = join(place.folder.path, name);
    mkdirSync(folder);
    return folder;
  };
  return {
    state: "file:../.lintel",
    folderOf,
    env: place.env,
    stored: () => place.state(),
  };
}

function onBranch(place: Place): Site {
  const server = makeServer();
  const { key } = identityOf(place.sandbox.portalUrl, "self");
  return {
    state: "git:lintel-state",
    folderOf: (name) => server.clone(name),
    env: { ...place.env, ...server.env },
    stored: () => JSON.parse(server.stored(`${key}.json`) ?? "null") as State,
  };
}

test.each([
  ["twenty", "a folder", inFolder, 20],
  ["ten", "a branch", onBranch, 10],
] as const)(
  "%s at once wait for each other with their states in %s",
  async (_, _where, open, count) => {
    const names = Array.from({ length: count }, (_each, at) => `text-${at}`);
    const place = await openPlace({}, { informationalBanner: { text: "Before", enabled: true } });
    const { state, folderOf, env, stored } = open(place);
    const folders = names.map((name) => {
      const folder = folderOf(name);
      const text = `${headFor(place)}state: ${state}\nsettings: { informationalBanner: { text: ${name} } }\n`;
      writeFileSync(join(folder, "portal.yaml"), text);
      return folder;
    });
    const ran = await Promise.all(
      folders.map((cwd) => lintel(["apply", "--yes", "--wait", "300"], { cwd, env })),
    );
    expect(ran.map(({ exit, stderr }) => (exit === 0 ? exit : stderr))).toEqual(names.map(() => 0));

    const { serial, history = [], journal } = stored() ?? {};
    expect(journal).toBeUndefined();
    // One write before each request, and one after it.
    expect(serial).toBe(2 * count);
    expect(history).toHaveLength(count);
    const texts = history.map(({ changes: [change] }) => change?.after);
    expect(texts.map(String).toSorted()).toEqual(names.toSorted());
    // Each saw what the one before had left: no two were at work at the same time.
    const seen = history.map(({ changes: [change] }) => change?.before);
    expect(seen).toEqual(["Before", ...texts.slice(0, -1)]);
    expect(history.map(({ live }) => live?.before)).toEqual([
      { informationalBanner: { text: "Before", enabled: true } },
      ...history.slice(0, -1).map(({ live }) => live?.after),
    ]);
    const sent = place.sandbox.requests
      .filter(isUpdate)
      .map(({ body }) => new URLSearchParams(body).get("informationalBanner"));
    expect(sent.map((value) => (JSON.parse(value ?? "{}") as { text?: string }).text)).toEqual(
      texts,
    );
    expect(place.sandbox.settings()).toEqual(history.at(-1)?.live?.after);
  },
);
