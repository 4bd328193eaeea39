// lintel preview: files → the portal's home as visitors would meet it, on a local page or in one HTML file.
import type { PreviewReadyDocument } from "./documents.js";
import type { CommandSpec, ParsedArguments, Result, Run } from "./command.js";
import { AS_OF, NETWORK, PORT } from "./options.js";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { checkFiles } from "./validate.js";
import { assertReadable } from "../apply/portal-context.js";
import { listedIn } from "../catalog/catalog.js";
import { findFiles } from "../document/find.js";
import { portalUrlOf, type PortalFile } from "../document/read/desired.js";
import { acrossFiles, hasErrors } from "../diagnostic.js";
import { Failure, wrongUsage } from "../failure.js";
import { credentialHostsOf } from "../http/host-allowlist.js";
import type { Io } from "../io.js";
import { outcomeOfCheck } from "../outcome.js";
import { ANYWHERE } from "../preview/card.js";
import { previewFile } from "../preview/preview-page.js";
import type { LookAtPortal } from "../preview/live.js";
import { openInBrowser } from "../preview/open.js";
import { startPreview } from "../preview/preview-server.js";
import { checkText } from "../report/problem-text.js";
import type { Styles } from "../report/styles.js";
import type { JsonObject } from "../lib/json.js";
import { shellWord } from "../lib/text.js";
import { readSettings } from "../portal/portal.js";
import type { Checked } from "../document/check/check.js";
import { checkFile } from "../document/check/check-file.js";
import { zoneOfFiles } from "../cli/run-zone.js";
import { asOfOf } from "../cli/time-options.js";
import { openNetwork, type Network } from "../cli/open-run.js";
import { isForPrograms, untilInterrupted } from "../cli/until-interrupted.js";

export const spec = {
  operands: "[FILE…]",
  options: {
    ...PORT,
    open: { description: "Open the page in the browser." },
    live: { description: "Also show the live home page." },
    ...AS_OF,
    ...NETWORK,
  },
  formats: ["text", "json", "html"],
  examples: [
    ["lintel preview portal.yaml --open", "follow changes to the file"],
    ["lintel preview portal.yaml --live", "compare with the live home page"],
    ["lintel preview --at 2026-12-05T18:00", "preview a scheduled window"],
    ["lintel preview --output html=preview.html", "write one page and exit"],
    ["lintel preview --output json", "print the address as JSON"],
  ],
} as const satisfies CommandSpec;

type Arguments = ParsedArguments<typeof spec.options>;

export const run: Run<typeof spec.options> = async (outer, call) => {
  const files = await findFiles(call.operands, outer.cwd);
  const io = { ...outer, zone: zoneOfFiles(files, outer) };
  if (call.destinations.some(({ format }) => format === "html")) return page(files, io, call);
  const missing = files.filter((file) => file !== "-" && !existsSync(resolve(io.cwd, file)));
  // The live preview waits for mistakes to be mended, and not for files.
  if (missing.length > 0) return checkFiles("preview", missing, io);
  if (!call.options.live) return follow(files, undefined, io, call);
  await using network = openNetwork(io, call, "anonymous");
  return await follow(files, (desired) => lookAsAnybody(desired, network), io, call);
};

/** One page for all files; where they have errors, a page of these. */
async function page(files: readonly string[], io: Io, call: Arguments): Promise<Result> {
  const other = ["port", "open", "live"].find((name) => call.given.has(name));
  if (other !== undefined) {
    throw wrongUsage(
      `"--${other}" needs the live preview, and "--output html" writes a page and exits.`,
      "Keep one of the two.",
    );
  }
  const checks: Checked[] = [];
  for (const each of files) checks.push(await checkFile(each, io, ANYWHERE));
  const problems = acrossFiles(checks.map(({ diagnostics }) => diagnostics));
  const inputs = checks.flatMap(({ paths }) => paths);
  const outcome = { ...outcomeOfCheck("preview", files, problems), inputs };
  const text = (paint: Styles) => (problems.length > 0 ? checkText(outcome, paint) : "");
  if (hasErrors(problems)) return { outcome, text };
  const atMs = asOfOf(call.options.at, io) ?? io.now();
  return { outcome, text, html: async () => previewFile(checks, atMs) };
}

async function follow(
  files: readonly string[],
  look: LookAtPortal | undefined,
  io: Io,
  call: Arguments,
): Promise<Result> {
  const { port, at } = call.options;
  const preview = await startPreview(io, { files, port, asOf: asOfOf(at, io), look });
  const { url } = preview;
  if (isForPrograms(call)) {
    const ready: PreviewReadyDocument = { ready: true, url, files };
    io.stdout.write(`${JSON.stringify(ready)}\n`, "json");
  } else {
    const told = call.paint.bold("The preview follows what you edit. Ctrl+C ends it.");
    io.stdout.write(`${told}\n\n  ${url}/\n`);
  }
  if (call.options.open && !(await openInBrowser(`${url}/`))) {
    io.stderr.write("No program on this machine opens addresses; open this one yourself.\n");
  }
  try {
    await Promise.race([untilInterrupted(io), preview.following]);
  } finally {
    await preview.close();
  }
  const outcome = outcomeOfCheck("preview", files, []);
  return { outcome: { ...outcome, more: { url } }, text: () => "" };
}

/** The one place where a preview asks a portal, and where it is decided whether it may. Nobody signs in. */
export async function lookAsAnybody(
  desired: PortalFile,
  { http, allowlist }: Pick<Network, "http" | "allowlist">,
): Promise<JsonObject> {
  const url = portalUrlOf(desired);
  assertReadable(desired);
  // No credential goes there, so that a person need not be asked; where none is there, the list says what a run may ask.
  const address = allowlist.by !== "person" && URL.canParse(url) ? new URL(url) : undefined;
  const refusal = address && allowlist.refusal(credentialHostsOf(address, address));
  if (refusal) throw refusal;
  try {
    return listedIn(await readSettings({ http, portal: { url, id: desired.portal.id } }));
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== "portal-refused") throw error;
    throw new Failure(
      error.code,
      error.message,
      `The preview signs nobody in. To compare with what an administrator sees:\n  lintel plan ${shellWord(desired.file)}`,
      { cause: error },
    );
  }
}
