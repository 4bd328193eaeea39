// Opens the resources of a command: files, network, sign-ins, states and progress display.
import packageFacts from "../../package.json" with { type: "json" };
import { assertPoliciesUsable, openPolicyChecks } from "../apply/policy-checks.js";
import type { RunContext } from "../apply/run-context.js";
import type { ParsedArguments, Result, Values } from "../commands/command.js";
import type { FLEET, HOLDS, NETWORK, POLICY } from "../commands/options.js";
import { findFiles, foldersAmong } from "../document/find.js";
import type { NamedFolder } from "../outcome.js";
import { readPem } from "../http/certificates.js";
import { openHttp, readOnlyClient, webhookClient } from "../http/http.js";
import type { Attempt, HttpOptions } from "../http/http.js";
import { openHostAllowlist } from "../http/host-allowlist.js";
import type { Io } from "../io.js";
import { counted, shellWord, visible } from "../lib/text.js";
import type { Styles } from "../report/styles.js";
import { plainly, sentenceLines } from "../report/text-layout.js";
import { UNWATCHED, type Progress } from "../progress.js";
import { secret } from "../secret.js";
import type { Limiter } from "../session/limiter.js";
import { openSignIns } from "../session/sign-ins.js";
import { openStores } from "../state/open.js";
import { pickPortals } from "./pick-portals.js";
import { watch } from "./progress.js";
import { zoneOfFiles } from "./run-zone.js";
import { asOfOf } from "./time-options.js";

/**
 * Reading commands get a read-only client, which sends only GET and sign-ins. So do anonymous ones, whose addresses are
 * not from files and which do not sign in. Commands that change a portal get an unrestricted client; those that change
 * only a state use it for the state.
 */
export type Purpose = "reading" | "anonymous" | "updating" | "state";

export interface NetworkArguments {
  readonly options: Partial<Values<typeof NETWORK>>;
}

export interface NetworkOptions {
  /** A long-running command reports waits only with --verbose. */
  readonly isLasting?: boolean;
  /** Replaces the limiter that counts only this process's sign-in calls. */
  readonly limiter?: Limiter;
  readonly onResponse?: HttpOptions["onResponse"];
  /** Warns if the age of a state cannot be verified. */
  readonly isAgeShown?: boolean;
  /** Replaces the host allowlist, for a token with a fixed host. */
  readonly assertAllowed?: HttpOptions["assertAllowed"];
}

export type Network = ReturnType<typeof openNetwork>;

export function openNetwork(
  io: Io,
  call: NetworkArguments,
  purpose: Purpose,
  { isLasting = false, limiter, onResponse, isAgeShown, assertAllowed }: NetworkOptions = {},
) {
  const { timeout, verbose } = call.options;
  const allowlist = openHostAllowlist(io);
  const notice = isLasting && !verbose ? () => {} : noticeOn(io);
  const { ca, cert, key } = readCertificates(io, call);
  const trace = ({ method, url, status, failure, ms }: Attempt) => {
    const answer = `${status ?? failure ?? "nothing"} (${Math.round(ms)} ms)`;
    io.stderr.write(`${visible(`${method} ${url} → ${answer}`)}\n`);
  };
  const whole = openHttp(io, {
    notice,
    ...(purpose !== "anonymous" && { assertAllowed: assertAllowed ?? allowlist.assertAllowed }),
    ca,
    cert,
    key,
    ...(timeout !== undefined && { callTimeoutMs: 1000 * timeout }),
    ...(verbose && { trace }),
    ...(onResponse && { onResponse }),
  });
  const http = purpose === "updating" ? whole : readOnlyClient(whole);
  const signIns = openSignIns(io, http, {
    notice,
    isLasting,
    ...(limiter && { limiter }),
    ...(io.stdin.isTerminal && { ask: askInTurn(io) }),
  });
  const storesFor = (own: Io) =>
    openStores({
      io: own,
      http: purpose === "state" ? whole : http,
      assertAllowed: allowlist.assertAllowed,
      ca,
      ...(isAgeShown && { onAgeUnknown: notice }),
    });
  const stores = storesFor(io);
  const posting = (urls: readonly string[]) => webhookClient(whole, urls);
  const close = async () => {
    await stores.close();
    await whole.close();
  };
  const parts = { http, posting, signIns, allowlist, stores, ca, openStores: storesFor };
  return { ...parts, [Symbol.asyncDispose]: close };
}

/** Wraps at the width of the terminal. */
function noticeOn({ stderr }: Io): (sentence: string) => void {
  return (sentence) => {
    const { columns: width = Infinity } = stderr;
    stderr.write(`${sentenceLines(sentence, plainly, "", { width }).join("\n")}\n`);
  };
}

function readCertificates(io: Io, { options }: NetworkArguments) {
  const read = (flag: "ca-file" | "cert" | "key") => {
    const variable = `LINTEL_${flag.toUpperCase().replaceAll("-", "_")}`;
    const file = options[flag] ?? io.env[variable];
    return file ? readPem(file, `--${flag} or ${variable}`, io.cwd) : undefined;
  };
  return { ca: read("ca-file"), cert: read("cert"), key: read("key") };
}

/** Asks one question at a time, even if many portals wait for answers. */
function askInTurn({ stdin }: Io) {
  let asked: Promise<unknown> = Promise.resolve();
  return (question: string) => {
    const answer = asked.then(() => stdin.askUnseen(question));
    asked = answer.catch(() => undefined);
    return answer.then((line) => (line === undefined ? undefined : secret(line.trim())));
  };
}

interface ContextOptions {
  /** Whether portals are called; if not, there is no prompt about hosts for credentials. */
  readonly isOnline?: boolean | undefined;
  /** The moment to compute settings for, if not now. */
  readonly asOf?: number | undefined;
  readonly concurrency?: number | undefined;
  readonly progress?: Progress;
}

export function contextOf(
  command: string,
  io: Io,
  network: Network,
  files: readonly string[],
  { isOnline = true, asOf, concurrency = 1, progress = UNWATCHED }: ContextOptions = {},
): RunContext {
  const { http, signIns, allowlist, stores } = network;
  return {
    io,
    http,
    signIns,
    allowlist,
    stores,
    progress,
    isOnline,
    concurrency,
    toolVersion: packageFacts.version,
    atMs: asOf ?? io.now(),
    ...(asOf !== undefined && { asOf }),
    command: ["lintel", command, ...files.slice(0, 3).map(shellWord)].join(" "),
    notice: noticeOn(io),
  };
}

type FleetArguments = NetworkArguments &
  Pick<ParsedArguments, "operands"> & {
    readonly options: Partial<Values<typeof FLEET> & Values<typeof HOLDS> & Values<typeof POLICY>>;
  };

interface RunOptions extends Omit<ContextOptions, "progress" | "concurrency" | "asOf"> {
  /** The value of --at. */
  readonly at?: string | undefined;
  /** Replaces the files of the arguments. */
  readonly files?: readonly string[] | undefined;
  readonly purpose?: Purpose;
  /** Warns if the age of a state cannot be verified, as on a fresh runner. */
  readonly isAgeShown?: boolean;
}

export interface Run extends RunContext {
  readonly files: readonly string[];
  readonly folders: readonly NamedFolder[];
  /** The number of portals that --only left out; undefined without it. */
  readonly leftOut: number | undefined;
}

/** For the files that the arguments select. */
export async function openRun(
  command: string,
  io: Io,
  call: FleetArguments,
  { files: known, purpose = "reading", isOnline, at, isAgeShown = false }: RunOptions = {},
): Promise<Run & AsyncDisposable> {
  const { only = [], policy, concurrency, quiet = false, verbose = false } = call.options;
  const { "skip-held": skipsHeld = false } = call.options;
  const named = known ?? (await findFiles(call.operands, io.cwd));
  const files = known ?? (await pickPortals(named, only, io));
  const policies = policy && openPolicyChecks(policy, io);
  if (policies) await assertPoliciesUsable(policies);
  const zone = zoneOfFiles(files, io);
  const own = { ...io, zone };
  const asOf = asOfOf(at, own);
  const watched = watch(own, { isQuiet: quiet, isVerbose: verbose });
  try {
    const network = openNetwork(watched.io, call, purpose, { isAgeShown: isAgeShown && !quiet });
    const { progress } = watched;
    const options = { isOnline, asOf, concurrency, progress };
    return {
      ...contextOf(command, watched.io, network, files, options),
      ...(policies && { policies }),
      skipsHeld,
      files,
      folders: foldersAmong(call.operands, named, io.cwd),
      leftOut: only.length > 0 ? named.length - files.length : undefined,
      async [Symbol.asyncDispose]() {
        try {
          await network[Symbol.asyncDispose]();
        } finally {
          watched.close();
        }
      },
    };
  } catch (error) {
    watched.close();
    throw error;
  }
}

/** Shows times in the run's zone, and reports what --only left out: some portals must not look like all. */
export function resultOfRun({ leftOut, io: { zone } }: Run, result: Result): Result {
  const { outcome } = result;
  const quiet = result.quiet?.bind(result);
  const inZone = (styles: Styles) => (zone.label === undefined ? styles : styles.in(zone));
  const line =
    leftOut === undefined
      ? ""
      : `${counted(leftOut, "portal")} ${leftOut === 1 ? "is" : "are"} left out by --only.\n`;
  return {
    ...result,
    ...(leftOut !== undefined && {
      outcome: { ...outcome, more: { ...outcome.more, portalsLeftOut: leftOut } },
    }),
    ...(quiet && { quiet: (styles: Styles) => quiet(inZone(styles)) }),
    text: (styles) => result.text(inZone(styles)) + (leftOut ? line : ""),
  };
}
