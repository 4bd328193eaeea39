// A sandbox with several portals and a folder with a file for each, to run commands on all of them.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, onTestFinished } from "vitest";
import type { Sandbox } from "../../src/sandbox/sandbox.js";
import { folderOf, lintel, type Ran } from "../support/run.js";
import { keysOf, openSandbox } from "../support/sandbox.js";

/** What a file says beside its target; the sandbox's own sign-in and an address where it leaves them out. */
export interface Wanted {
  readonly url?: string;
  readonly id?: string;
  readonly signIn?: string;
  readonly settings?: string;
  /** Another line of the file. */
  readonly more?: string;
}

export interface Document {
  readonly exitCode: number;
  readonly diagnostics: readonly { readonly code: string; readonly file: string }[];
  readonly portals: readonly Told[];
  readonly summary: Readonly<Record<string, number>>;
}

export interface Told {
  readonly name: string;
  readonly file: string;
  readonly status: string;
  readonly exitCode: number;
  readonly changes: readonly { readonly path: string }[];
  readonly failure: { readonly code: string } | null;
}

type Env = Readonly<Record<string, string>>;

export interface Fleet {
  readonly sandbox: Sandbox;
  readonly folder: string;
  readonly env: Env;
  readonly write: (name: string, wanted: Wanted) => void;
  readonly run: (words: readonly string[], env?: Env) => Promise<Ran>;
  /** The same, and the JSON document that it wrote beside its text; the exit statuses agree. */
  readonly told: (
    words: readonly string[],
    env?: Env,
  ) => Promise<Document & { readonly text: string }>;
}

type Runner = (words: readonly string[], how: { cwd: string; env: Env }) => Promise<Ran>;

/**
 * Files portals/portal-1.yaml and so on, one for each portal, all with these settings: what follows `settings:`, without
 * the key. `runner` is `call` where no program is to be started.
 */
export async function openFleet(
  portals: number,
  settings: string,
  runner: Runner = lintel,
): Promise<Fleet> {
  const sandbox = await openSandbox({ portals });
  const made = folderOf();
  onTestFinished(() => made.remove());
  const folder = made.path;
  mkdirSync(join(folder, "portals"));
  const own = keysOf(sandbox);

  const fleet: Fleet = {
    sandbox,
    folder,
    env: own,
    write(
      name,
      { url = sandbox.portalUrl, id = name, signIn = "", settings: wanted = settings, more = "" },
    ) {
      const text = [
        'targetVersion: "12.1"',
        `portal: { url: "${url}", id: ${id} }`,
        `signIn: { url: "${sandbox.signInUrl}"${signIn && `, ${signIn}`} }`,
        `settings: ${wanted}\n${more}`,
      ].join("\n");
      writeFileSync(join(folder, "portals", `${name}.yaml`), text);
    },
    run: (words, env = {}) => runner(words, { cwd: folder, env: { ...own, ...env } }),
    async told(words, env) {
      const ran = await fleet.run([...words, "-o", "text", "-o", "json=told.json"], env);
      const document = JSON.parse(readFileSync(join(folder, "told.json"), "utf8")) as Document;
      expect(ran.exit).toBe(document.exitCode);
      return { ...document, text: ran.stdout };
    },
  };
  for (let at = 1; at <= portals; at++) fleet.write(`portal-${at}`, {});
  return fleet;
}

/** How each file ended; where its portal failed, why. */
export function statuses({ portals }: Document): Record<string, string> {
  return Object.fromEntries(
    portals.map(({ file, status, failure }) => [basename(file, ".yaml"), failure?.code ?? status]),
  );
}

/** How often somebody tried to sign in. */
export function signInsOf({ requests }: Sandbox): number {
  return requests.filter(({ path }) => path.includes("/loginadmin")).length;
}

export function updatesOf({ requests }: Sandbox): string[] {
  return requests.flatMap(({ method, path }) =>
    method === "POST" && path.includes("/update") ? [/portals\/([^/]+)/.exec(path)?.[1] ?? ""] : [],
  );
}
