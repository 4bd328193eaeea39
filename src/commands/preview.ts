// lintel preview: shows the portal's home as visitors would see it, on a local page or in one HTML file.
import type { PreviewReadyDocument } from "./documents.js";
import type { CommandSpec, ParsedArguments, Result, Run } from "./command.js";
import { AS_OF, PORT, QUIET } from "./options.js";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { checkFiles } from "./validate.js";
import { findFiles } from "../document/find.js";
import { acrossFiles, hasErrors } from "../diagnostic.js";
import { wrongUsage } from "../failure.js";
import type { Io } from "../io.js";
import { outcomeOfCheck } from "../outcome.js";
import { ANYWHERE } from "../preview/card.js";
import { previewFile } from "../preview/preview-page.js";
import { openInBrowser } from "../preview/open.js";
import { startPreview } from "../preview/preview-server.js";
import { checkText } from "../report/problem-text.js";
import type { Styles } from "../report/styles.js";
import type { Checked } from "../document/check/check.js";
import { checkFile } from "../document/check/check-file.js";
import { zoneOfFiles } from "../cli/run-zone.js";
import { asOfOf } from "../cli/time-options.js";
import { isForPrograms, untilInterrupted } from "../cli/until-interrupted.js";

export const spec = {
  operands: "[FILE…]",
  options: {
    ...PORT,
    open: { description: "Open the page in the browser." },
    ...AS_OF,
    ...QUIET,
  },
  formats: ["text", "json", "html"],
  examples: [
    ["lintel preview portal.yaml --open", "show each edit of the file"],
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
  // A page that follows files waits for mistakes to be mended, and not for files.
  if (missing.length > 0) return checkFiles("preview", missing, io);
  return follow(files, io, call);
};

/** One page for all files; where they have errors, a page of these. */
async function page(files: readonly string[], io: Io, call: Arguments): Promise<Result> {
  const other = ["port", "open"].find((name) => call.given.has(name));
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
  const text = (styles: Styles) => (problems.length > 0 ? checkText(outcome, styles) : "");
  if (hasErrors(problems)) return { outcome, text };
  const atMs = asOfOf(call.options.at, io) ?? io.now();
  return { outcome, text, html: async () => previewFile(checks, atMs) };
}

async function follow(files: readonly string[], io: Io, call: Arguments): Promise<Result> {
  const { port, at } = call.options;
  const preview = await startPreview(io, { files, port, asOf: asOfOf(at, io) });
  const { url } = preview;
  if (isForPrograms(call)) {
    const ready: PreviewReadyDocument = { ready: true, url, files };
    io.stdout.write(`${JSON.stringify(ready)}\n`, "json");
  } else {
    const told = call.styles.bold("The preview follows what you edit. Ctrl+C ends it.");
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
