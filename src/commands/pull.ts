// lintel pull: a portal → its file, changed to say what the portal shows; the portal stays as it is.
import { existsSync } from "node:fs";
import { isUtf8 } from "node:buffer";
import { resolve } from "node:path";
import { listedIn, findSetting, stockValues } from "../catalog/catalog.js";
import { check, isPart } from "../document/check.js";
import { pullInto, type Pulled, type Wish } from "../document/pull.js";
import { LARGEST_FILE, readDraft } from "../document/read.js";
import { EXIT, Failure } from "../failure.js";
import { readFile, reasonOf } from "../file.js";
import { hasErrors } from "../diagnostic.js";
import type { Io } from "../io.js";
import { isEqual, isJsonList, type Json } from "../json.js";
import { keyOf, referencePath, valueAt } from "../plan/spelling.js";
import { plan, type Planned } from "../reconcile.js";
import { pullText } from "../report/pull-text.js";
import { formatPath, isWithin, leavesOf, type Path } from "../settings.js";
import { valueOf, type Call, type Run } from "./command.js";
import { markOf } from "./migration-draft.js";
import { openReading } from "./network.js";
import { invalid } from "./one-file.js";
import { readOnePortal } from "./one-portal.js";
import { filesOf, toolsOf, wishesOf } from "./wishes.js";
import { replaceFile, writeNew } from "./write-file.js";

export const run: Run = async (io, call) => {
  const files = filesOf(io, call);
  const network = openReading(io, call);
  try {
    const tools = toolsOf(io, network, "pull", files);
    const { prospect, outcome } = await readOnePortal("pull", files, tools);
    if (!prospect) return invalid(outcome);
    const planned = await plan(prospect, tools, { ...wishesOf(call), compareWith: "live" });
    const settings = settingsOf(planned);
    const into = valueOf(call, "into") ?? prospect.desired.file;
    if (into === "-") throw noPlace();
    const wanted = wantedValues(planned, settings, call);
    const before = readInto(into, prospect.desired.target.asked, io);
    const { text, pulled } = pullInto(before.text, wanted.values);
    const all = [...pulled, ...wanted.left];
    const isChanged = pulled.some((each) => each.outcome !== "left");
    const { diagnostics } = check(into, readDraft(text || "{}\n", { file: into, cwd: io.cwd }), io);
    if (isChanged) write(into, before, text, io);
    const problems = isChanged ? diagnostics : [];
    const result = {
      command: "pull",
      exit: hasErrors(problems) ? EXIT.invalid : EXIT.done,
      diagnostics: problems,
      files: [into],
      more: {
        file: into,
        pulled: all.map(({ path, before = null, value, outcome, why = null }) => ({
          path: formatPath(path),
          before,
          value,
          outcome,
          why,
        })),
      },
    };
    return { outcome: result, text: (paint) => pullText(into, all, result, paint) };
  } finally {
    await network.close();
  }
};

/** What anybody can see leaves things out; a file made from that would unset them. */
function settingsOf({ live, unable, desired }: Planned) {
  if (unable) throw unable;
  if (live.kind === "read") return live.settings;
  throw new Failure(
    "portal-refused",
    `"${desired.file}" says that the portal cannot be read.`,
    "If it can be read, remove the line:\n  read: never",
  );
}

function noPlace(): Failure {
  return new Failure(
    "wrong-usage",
    "What came from standard input cannot be changed there.",
    "Name a file to write to:\n  lintel pull - --into portal.yaml",
  );
}

interface Wanted {
  readonly values: readonly Wish[];
  readonly left: readonly Pulled[];
}

function wantedValues(
  { leaves }: Planned,
  settings: NonNullable<ReturnType<typeof settingsOf>>,
  call: Call,
): Wanted {
  const isAsked = askedFor(call);
  const managed = leaves
    .filter(({ path }) => isAsked(path))
    .map((leaf) => ({ ...leaf, shown: valueAt(settings, leaf.path) ?? null }))
    .filter(
      ({ value, action, shown }) =>
        !isEqual(shown, value) && !(action === "default" && shown === null),
    );
  const keys = new Set(leaves.map(({ path }) => keyOf(path)));
  const others = call.options["all"]
    ? leavesOf(listedIn(settings)).filter(
        ({ path, value }) => !keys.has(keyOf(path)) && isAsked(path) && isChosen(path, value),
      )
    : [];
  return {
    values: [
      ...managed
        .filter(({ shown }) => shown !== null)
        .map(({ path, value, shown }) => ({ path, before: value, value: shown })),
      ...others,
    ],
    left: managed
      .filter(({ shown }) => shown === null)
      .map(({ path, value }) => ({
        path,
        before: value,
        value: null,
        outcome: "left",
        why: NOTHING,
      })),
  };
}

const NOTHING =
  "the portal shows nothing there, which a file cannot say; remove the line, or apply";

function askedFor(call: Call): (path: Path) => boolean {
  const given = call.options["only"];
  const only = (Array.isArray(given) ? (given as readonly string[]) : []).map((text) =>
    referencePath(text.split(".")),
  );
  return (path) => only.length === 0 || only.some((each) => isWithin(referencePath(path), each));
}

/** Not what portals are shipped with, nor what an installer sets. */
function isChosen(path: Path, value: Json): boolean {
  const property = findSetting(path)?.property;
  if (value === null || (isJsonList(value) && value.length === 0)) return false;
  if (!property) return true;
  if (property.setBy === "installer") return false;
  return !stockValues(property).some((stock) => isEqual(stock, value));
}

interface Into {
  readonly text: string;
  /** The mark before the text, a byte like any other. */
  readonly mark: string;
  readonly isNew: boolean;
}

function readInto(file: string, target: string, { cwd }: Io): Into {
  const path = resolve(cwd, file);
  if (!existsSync(path)) {
    const text = isPart(file) ? "settings:\n" : `targetVersion: "${target}"\nsettings:\n`;
    return { text, mark: "", isNew: true };
  }
  const bytes = bytesOf(path, file);
  return { text: new TextDecoder().decode(bytes), mark: markOf(bytes), isNew: false };
}

/** What cannot be read to the last byte cannot be written back. */
function bytesOf(path: string, file: string): Uint8Array {
  const refused = (reason: string) =>
    new Failure(
      "file-invalid",
      `"${file}" cannot be read: ${reason}.`,
      "Name a desired-state file, or a new one.",
    );
  let bytes;
  try {
    bytes = readFile(path, { largest: LARGEST_FILE, links: "followed" });
  } catch (error) {
    const reason = reasonOf(error);
    throw reason === undefined ? error : refused(reason);
  }
  if (!isUtf8(bytes)) throw refused("it is not written in UTF-8");
  return bytes;
}

function write(file: string, { mark, isNew }: Into, text: string, { cwd }: Io): void {
  const path = resolve(cwd, file);
  if (isNew) writeNew(path, file, text);
  else replaceFile(path, file, mark + text);
}
