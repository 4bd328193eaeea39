// Reads lintel.yaml: files, interval, concurrency, pools, webhooks and roles, or the errors in it.
import { dirname, join, relative, resolve } from "node:path";
import type { Roles } from "../dashboard/roles.js";
import type { Repository } from "../dashboard/views/forge.js";
import { wrongShape } from "./shape.js";
import { EVENTS, type EventName, type Forge, type Form } from "./schema.js";
import { webhookProblems } from "./webhooks.js";
import { hasErrors, type Diagnostic } from "../../diagnostic.js";
import { nameMatcher } from "../../document/find.js";
import { readSource } from "../../document/read/bytes.js";
import { parse } from "../../document/read/parse.js";
import { toJson } from "../../document/read/tree.js";
import type { Io } from "../../io.js";
import type { Secret } from "../../secret.js";

export interface Webhook {
  readonly name: string;
  readonly form: Form;
  readonly events: readonly EventName[];
  /** With its references replaced; never shown. */
  readonly url: string;
  /** As written in the file, if it contains references. */
  readonly written?: string | undefined;
  readonly secret?: Secret | undefined;
}

export interface Config {
  /** Relative to the working directory. */
  readonly files?: readonly string[] | undefined;
  readonly every?: string | undefined;
  readonly concurrency?: number | undefined;
  /** The first match counts. */
  readonly pools: readonly { readonly name: string; readonly patterns: readonly string[] }[];
  readonly notify: readonly Webhook[];
  /** The web address of the repository, without a slash at its end, and its forge. */
  readonly repository?: Repository | undefined;
  readonly roles?: Roles | undefined;
}

export const NOTHING_SAID: Config = { pools: [], notify: [] };

export type ReadConfig =
  | { readonly config: Config; readonly problems?: undefined }
  | { readonly config?: undefined; readonly problems: readonly Diagnostic[] };

/** As written in the file, after the check by the schema. */
interface Written {
  readonly files?: string | readonly string[];
  readonly every?: string;
  readonly concurrency?: number;
  readonly pools?: Readonly<Record<string, readonly string[]>>;
  readonly repository?: string;
  readonly forge?: Forge;
  readonly roles?: Partial<Roles>;
  readonly notify?: readonly {
    readonly name: string;
    readonly form?: Form;
    readonly events?: readonly EventName[];
  }[];
}

export function readConfig(file: string, io: Pick<Io, "cwd" | "env">): ReadConfig {
  const { source, problem } = readSource({ file, cwd: io.cwd });
  if (!source) return { problems: [ownHelp(problem)] };
  const { root, problems } = parse(source);
  if (!root) return { problems: problems.map(ownHelp) };
  const wrong = [...problems, ...wrongShape(root)];
  if (hasErrors(wrong)) return { problems: wrong };
  const webhooks = webhookProblems(root, io);
  if (hasErrors(webhooks.problems)) return { problems: webhooks.problems };
  const written = toJson(root) as unknown as Written;
  const { files, every, concurrency, pools = {}, notify = [], repository, forge, roles } = written;
  const folder = dirname(resolve(io.cwd, file));
  const named = typeof files === "string" ? [files] : files;
  return {
    config: {
      files: named?.map((each) => relative(io.cwd, join(folder, each)) || "."),
      every,
      concurrency,
      ...(repository !== undefined && {
        repository: { url: repository.replace(/\/+$/, ""), forge },
      }),
      ...(roles && { roles: { operators: {}, ...roles } }),
      pools: Object.entries(pools).map(([name, patterns]) => ({ name, patterns })),
      notify: notify.map(({ name, form = "json", events = EVENTS }, at) => {
        const { url = "", written, secret } = webhooks.resolved[at] ?? {};
        return { name, form, events, url, written, secret };
      }),
    },
  };
}

/** The usual help for an empty file is about a portal's file. */
function ownHelp(problem: Diagnostic): Diagnostic {
  if (problem.code !== "empty-file") return problem;
  const help = "Remove it, or write a setting, such as:\n  every: 15m";
  return { ...problem, help };
}

/** Returns the pool for a portal's name; undefined for the default pool. */
export async function openPools({
  pools,
}: Pick<Config, "pools">): Promise<(name: string) => string | undefined> {
  const matchers = await Promise.all(
    pools.map(async ({ name, patterns }) => ({
      name,
      isIn: await Promise.all(patterns.map(nameMatcher)),
    })),
  );
  return (portal) => matchers.find(({ isIn }) => isIn.some((isMatch) => isMatch(portal)))?.name;
}
