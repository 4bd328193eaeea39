// Merges the options of a call with lintel.yaml, over which the call has priority, and reports what is wrong with that file.
import { existsSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { CONFIG_FILE } from "../../document/find.js";
import { digestOfBytes } from "../../lib/digest.js";
import { wrongUsage } from "../../failure.js";
import { marksOf, readFile } from "../../lib/files.js";
import { findRoot } from "../../lib/git.js";
import type { Io } from "../../io.js";
import { outcomeOfCheck } from "../../outcome.js";
import { checkText } from "../../report/problem-text.js";
import type { Styles } from "../../report/styles.js";
import { NOTHING_SAID, readConfig, type Config } from "../../serve/config/config.js";
import type { LogEvent } from "../../serve/events/event.js";
import { configChanged } from "../../serve/events/run-events.js";
import type { Network } from "../../cli/open-run.js";
import type { ParsedArguments, Result } from "../command.js";

export const CONFIG = {
  config: {
    value: "FILE",
    description: "Configuration of serve. Default: lintel.yaml.",
  },
} as const;

interface Configured {
  readonly config?: string | undefined;
  readonly every: string;
  readonly concurrency: number;
}

/** The call as if it had said what the file says. */
export function withConfig<
  C extends Omit<ParsedArguments, "options"> & { readonly options: Configured },
>(
  io: Io,
  call: C,
  { isKept }: { readonly isKept: boolean },
):
  | { readonly call: C; readonly config: Config; readonly file?: string }
  | { readonly result: Result } {
  const { options, operands, given } = call;
  const file = options.config ?? defaultFile(io, operands);
  if (file === undefined) return { call, config: NOTHING_SAID };
  const { config, problems } = readConfig(file, io);
  if (!config) {
    const outcome = outcomeOfCheck("serve", [file], problems);
    return { result: { outcome, text: (styles: Styles) => checkText(outcome, styles) } };
  }
  if (config.notify.length > 0 && !isKept) {
    throw wrongUsage(
      `"${file}" names webhooks, whose events must be kept until they are delivered.`,
      "Name a folder for them:\n  lintel serve --data DIR",
    );
  }
  const every = given.has("every") ? options.every : (config.every ?? options.every);
  const concurrency = given.has("concurrency")
    ? options.concurrency
    : (config.concurrency ?? options.concurrency);
  return {
    call: {
      ...call,
      operands: operands.length > 0 ? operands : (config.files ?? operands),
      options: { ...options, config: file, every, concurrency },
    },
    config,
    file,
  };
}

/** In the working directory, or at the top of the repository of the first path that the call names. */
function defaultFile({ cwd }: Pick<Io, "cwd">, [first]: readonly string[]): string | undefined {
  const root = first === undefined ? undefined : findRoot(resolve(cwd, first));
  const beside = root === undefined ? CONFIG_FILE : relative(cwd, join(root, CONFIG_FILE));
  return [CONFIG_FILE, beside].find((file) => existsSync(resolve(cwd, file)));
}

const LIMITS = { largest: 1024 * 1024, links: "followed" } as const;

/** To be called now and then: it is read at the start only, so a later change is reported as one that needs a restart. */
export function openConfigWatch(
  { cwd }: Pick<Io, "cwd">,
  { config: named = CONFIG_FILE }: Pick<Configured, "config">,
  report: (event: LogEvent) => void,
): () => void {
  const path = resolve(cwd, named);
  const digestNow = () => {
    try {
      return digestOfBytes(readFile(path, LIMITS));
    } catch {
      return "";
    }
  };
  let [marks, known] = [marksOf(path), digestNow()];
  const first = known;
  return () => {
    const now = marksOf(path);
    if (now === marks) return;
    marks = now;
    const before = known;
    known = digestNow();
    if (known !== before && known !== first) report(configChanged(named));
  };
}

function credentialHostsOf({ notify }: Config) {
  return notify.map(({ url, written }) => ({ service: new URL(url), to: new URL(url), written }));
}

export function noteWebhooks({ allowlist }: Pick<Network, "allowlist">, config: Config): void {
  allowlist.note(credentialHostsOf(config));
}

export function assertMayTell({ allowlist }: Pick<Network, "allowlist">, config: Config): void {
  const refusal = allowlist.refusal(credentialHostsOf(config));
  if (refusal) throw refusal;
}
