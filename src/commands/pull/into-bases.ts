// Writes values that all portals of a base show into the base.
import { diagnosticsOf, eachPortal } from "../../apply/each-portal.js";
import type { PortalContext } from "../../apply/portal-context.js";
import type { RunContext } from "../../apply/run-context.js";
import { keyOf } from "../../catalog/spelling.js";
import { resultOfMembers, type Part } from "../../cli/portal-parts.js";
import type { Run } from "../../cli/open-run.js";
import { hasErrors, type Diagnostic } from "../../diagnostic.js";
import { check } from "../../document/check/check.js";
import { pullInto, REFERRED, type Pulled } from "../../document/edit/pull.js";
import { readDraft } from "../../document/read/bytes.js";
import { EXIT } from "../../failure.js";
import { canonicalText, type Json } from "../../lib/json.js";
import { groupBy } from "../../lib/lists.js";
import { counted, oneLine, shellWord, someOf } from "../../lib/text.js";
import { valueAt } from "../../plan/spelling.js";
import { namesOf } from "../../report/group.js";
import { pullText } from "../../report/pull-report.js";
import type { Styles } from "../../report/styles.js";
import { plainly, sentenceLines } from "../../report/text-layout.js";
import type { DesiredLeaf, Spot } from "../../settings.js";
import type { Result } from "../command.js";
import type { BaseDocument } from "../documents.js";
import { othersTaking, realPathIn } from "../extending.js";
import { readPresent, write } from "./into.js";
import { isAmong, isDifferent, NOTHING, onlyNamed, pulledJson, readShown } from "./shown.js";

/** A value that a portal's file or one of its bases sets, and what the portal shows there. */
interface ShownLeaf extends DesiredLeaf {
  readonly portal: string;
  readonly place: Spot;
  readonly shown: Json;
  /** The real path of the file that sets the value. */
  readonly home: string;
  readonly isOwn: boolean;
}

interface ReadPart extends Part {
  readonly leaves: readonly ShownLeaf[];
}

/** Nothing is written unless every portal was read, because a base must not follow some of its portals. */
export async function pullIntoBases(
  run: Run,
  files: readonly string[],
  path: readonly string[],
): Promise<Result> {
  const only = await onlyNamed(path, files, run.io);
  const members = await eachPortal(run, files, (portal) => readLeaves(run, portal));
  const result = resultOfMembers(members, { command: "pull", files, folders: run.folders });
  if (members.some(({ failure }) => failure)) return result;
  const leaves = members.flatMap(({ value }) => value?.leaves ?? []);
  const asked = leaves.filter((leaf) => isAmong(leaf.path, only));
  const bases: PulledBase[] = [];
  const inBases = asked.filter(({ isOwn }) => !isOwn);
  for (const group of groupBy(inBases, ({ home }) => home).values()) {
    bases.push(await pullBase(run, group, files));
  }
  const diagnostics = [...diagnosticsOf(members), ...bases.flatMap((each) => each.diagnostics)];
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  const own = members.filter(({ value }) => {
    return value?.leaves.some((leaf) => leaf.isOwn && asked.includes(leaf) && isDifferent(leaf));
  });
  const below = [
    `${counted(members.length, "portal")} read: ${namesOf(members)}.`,
    ...(own.length > 0 ? [ownText(own.map(({ file }) => file))] : []),
  ];
  return {
    outcome: {
      ...result.outcome,
      exit: hasErrors(errors) ? EXIT.invalid : EXIT.done,
      diagnostics: errors,
      inputs: [...files, ...bases.map(({ file }) => file)],
      more: { bases: bases.map(baseJson) },
    },
    text: (styles) => {
      const lines = below.flatMap((line) => sentenceLines(line, plainly, "", styles));
      return [...basesTexts(bases, path, styles), `${lines.join("\n")}\n`].join("\n");
    },
  };
}

async function readLeaves(run: RunContext, portal: PortalContext): Promise<ReadPart> {
  const { planned, settings } = await readShown(run, portal);
  const file = realPathIn(portal.desired.file, run.io);
  const leaves = planned.leaves.flatMap((leaf): ShownLeaf[] => {
    const place = leaf.reference ?? leaf.place;
    if (!place) return [];
    const shown = valueAt(settings, leaf.path) ?? null;
    const home = realPathIn(place.file, run.io);
    return [{ ...leaf, place, portal: portal.portal.name, shown, home, isOwn: home === file }];
  });
  return {
    leaves,
    json: {},
    text: () => "Nothing was written, because not every portal was read.\n",
  };
}

interface PulledBase {
  readonly file: string;
  readonly pulled: readonly (Pulled & { readonly portals: readonly string[] })[];
  readonly isWritten: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

/** The leaves that portals take from one base. */
async function pullBase(
  { io }: RunContext,
  leaves: readonly ShownLeaf[],
  named: readonly string[],
): Promise<PulledBase> {
  const file = leaves[0]?.place.file ?? "";
  const before = readPresent(file, io);
  let { text } = before;
  const pulled: PulledBase["pulled"][number][] = [];
  for (const group of groupBy(leaves, ({ path }) => keyOf(path)).values()) {
    const [leaf] = group;
    if (!leaf || !group.some(isDifferent)) continue;
    const portals = group.map(({ portal }) => portal);
    const values = new Set(group.map(({ shown }) => canonicalText(shown))).size;
    const value = values === 1 ? leaf.shown : null;
    const wish = { path: leaf.path, before: leaf.value, value };
    const why = await whyLeft(leaf, { values, base: file, named }, io);
    if (why !== undefined) pulled.push({ ...wish, outcome: "left", why, portals });
    else {
      const next = pullInto(text, [wish]);
      text = next.text;
      pulled.push(...next.pulled.map((each) => ({ ...each, portals })));
    }
  }
  const isWritten = text !== before.text;
  if (!isWritten) return { file, pulled, isWritten, diagnostics: [] };
  write(file, before, text, io);
  const draft = readDraft(text, { file, cwd: io.cwd });
  const { diagnostics } = check(file, draft, io, { mayLackPortal: true });
  return { file, pulled, isWritten, diagnostics };
}

/** Undefined where all that take the value show one other value. */
async function whyLeft(
  { path, shown, window, reference }: ShownLeaf,
  { values, base, named }: Taken,
  io: RunContext["io"],
): Promise<string | undefined> {
  if (window !== undefined) return `the window "${window}" gives it now`;
  if (reference) return REFERRED;
  if (values > 1) return `the portals show ${values} different values`;
  if (shown === null) return NOTHING;
  const others = await othersTaking(["settings", ...path], { base, named }, io);
  if (others.length === 0) return undefined;
  return `${someOf(others.map(oneLine), "file")} ${others.length === 1 ? "takes" : "take"} it from this base, too; name all such files`;
}

interface Taken {
  /** How many different ones the portals show. */
  readonly values: number;
  readonly base: string;
  /** The files of the run. */
  readonly named: readonly string[];
}

function baseJson({ file, pulled, isWritten }: PulledBase): BaseDocument {
  return {
    file,
    pulled: pulled.map(({ portals, ...each }) => ({ ...pulledJson(each), portals })),
    isWritten,
  };
}

function basesTexts(
  bases: readonly PulledBase[],
  only: readonly string[],
  styles: Styles,
): readonly string[] {
  const none = { takesAll: false, notCompared: [], leftOut: 0, adding: "" };
  const texts = bases.flatMap(({ file, pulled, diagnostics }) => {
    if (pulled.length === 0) return [];
    const outcome = { files: [file], diagnostics };
    return [pullText({ file, into: file, pulled, only, ...none }, outcome, styles)];
  });
  if (texts.length > 0) return texts;
  const files = bases.map(({ file }) => oneLine(file));
  return bases.length === 0
    ? ["The bases of these files set none of these settings.\n"]
    : [`No differences in ${someOf(files, "base")}.\n`];
}

function ownText(files: readonly string[]): string {
  const sets = `${counted(files.length, "file")} set${files.length === 1 ? "s" : ""}`;
  const words = files.length > 3 ? "FILE…" : files.map(shellWord).join(" ");
  return `${sets} other values than the portal shows. To change them there:\n  lintel pull ${words}`;
}
