// lintel pull: updates files from live settings. The portal stays as it is.
import type { CommandSpec, Result, Run, Values } from "../command.js";
import { FLEET, PICKING } from "../options.js";
import { listedIn, findSetting, stockValues } from "../../catalog/catalog.js";
import { check } from "../../document/check/check.js";
import { pullInto, type Pulled, type Wish } from "../../document/edit/pull.js";
import { readDraft } from "../../document/read/bytes.js";
import { EXIT, wrongUsage } from "../../failure.js";
import { hasErrors, type Diagnostic } from "../../diagnostic.js";
import { isEqual, isJsonList, type Json, type JsonObject } from "../../lib/json.js";
import { keyOf } from "../../catalog/spelling.js";
import { valueAt } from "../../plan/spelling.js";
import { diagnosticsOf, eachPortal } from "../../apply/each-portal.js";
import type { PlannedPortal } from "../../apply/plan-portal.js";
import type { PortalContext } from "../../apply/portal-context.js";
import type { RunContext } from "../../apply/run-context.js";
import type { PullFacts } from "../documents.js";
import { pullText } from "../../report/pull-report.js";
import { leavesOf, type DesiredLeaf, type Path } from "../../settings.js";
import { readInto, tidy, write } from "./into.js";
import { pullIntoBases } from "./into-bases.js";
import {
  isAmong,
  isDifferent,
  NOTHING,
  onlyNamed,
  pulledJson,
  readShown,
  type Only,
} from "./shown.js";
import { openRun, resultOfRun, type Run as CommandRun } from "../../cli/open-run.js";
import { resultOfOneOrMany, type Part } from "../../cli/portal-parts.js";
import { counted, shellWord } from "../../lib/text.js";

export const spec = {
  operands: "[FILE…]",
  options: {
    into: { value: "FILE", description: "Write the values to this file." },
    "into-base": { description: "Move shared values into the base." },
    all: { description: "Also add non-default settings that the file lacks." },
    ...PICKING,
    ...FLEET,
  },
  formats: ["text", "json"],
  examples: [
    ["lintel pull", "update values that differ"],
    ["lintel pull portals", "update each file from its portal"],
    ["lintel pull --path informationalBanner", "only the banner"],
    ["lintel pull --all --into pulled.yaml", "include unmanaged settings"],
    ["lintel pull portals --into-base", "move shared values into the base"],
  ],
} as const satisfies CommandSpec;

export const run: Run<typeof spec.options> = async (io, call) => {
  const { all, into, "into-base": isIntoBase } = call.options;
  if (isIntoBase && (all || into !== undefined)) {
    throw wrongUsage(
      `"--into-base" cannot be combined with "--${all ? "all" : "into"}".`,
      "It changes only values that a base already sets:\n  lintel pull portals --into-base",
    );
  }
  await using run = await openRun("pull", io, call);
  const { files } = run;
  const result = isIntoBase
    ? await pullIntoBases(run, files, call.options.path)
    : await pullAll(run, files, call.options);
  return resultOfRun(run, result);
};

/** What decides which values go into which file. */
export type PullOptions = Pick<Values<typeof spec.options>, "into" | "all" | "path">;

export async function pullAll(
  run: RunContext & Partial<Pick<CommandRun, "folders">>,
  files: readonly string[],
  options: PullOptions,
): Promise<Result> {
  const { into, path } = options;
  if (into !== undefined && files.length > 1) {
    const picked = path.map((each) => ` --path ${shellWord(each)}`).join("");
    throw wrongUsage(
      `"${into}" can say what one portal shows, and ${counted(files.length, "file")} are meant.`,
      `Name one of them, or leave --into out, so that each is written itself:\n  lintel pull ${shellWord(files[0] ?? "FILE")}${picked} --into ${shellWord(into)}`,
    );
  }
  const only = await onlyNamed(path, files, run.io);
  const pulling = { options, only };
  const members = await eachPortal(run, files, (portal) => pullOne(run, portal, pulling));
  const problems = members.flatMap(({ value }) => value?.diagnostics ?? []);
  return resultOfOneOrMany(members, {
    command: "pull",
    files: members.map(({ file, value }) => value?.into ?? file),
    folders: run.folders,
    diagnostics: files.length > 1 ? [...diagnosticsOf(members), ...problems] : problems,
  });
}

interface PulledPart extends Part {
  readonly into: string;
  /** Of the file as it was written. */
  readonly diagnostics: readonly Diagnostic[];
}

interface Pulling {
  readonly options: PullOptions;
  readonly only: readonly Only[];
}

async function pullOne(
  run: RunContext,
  portal: PortalContext,
  { options, only }: Pulling,
): Promise<PulledPart> {
  const { io } = run;
  const { planned, settings } = await readShown(run, portal);
  const { file } = portal.desired;
  const into = options.into ?? file;
  if (into === "-") {
    throw wrongUsage(
      "What came from standard input cannot be changed there.",
      "Name a file to write to:\n  lintel pull - --into portal.yaml",
    );
  }
  const takesAll = options.all;
  const wanted = wantedValues(planned, settings, only, { takesAll, isElsewhere: into !== file });
  const before = readInto(into, portal.desired, io);
  const { text, pulled } = pullInto(before.text, wanted.values);
  const notCompared = takesAll ? [] : notManaged(portal.leaves, only);
  const all = [...pulled, ...wanted.left];
  const isChanged = pulled.some((each) => each.outcome !== "left");
  const draft = readDraft(text || "{}\n", { file: into, cwd: io.cwd });
  const { diagnostics } = check(into, draft, io, { mayLackPortal: true });
  if (isChanged) write(into, before, text, io);
  else tidy(into, before, io);
  const problems = isChanged ? diagnostics : [];
  const shown = {
    file,
    into,
    pulled: all,
    only: only.map((each) => each.text),
    takesAll,
    notCompared,
    leftOut: wanted.leftOut,
    adding: addingCall(options, file, notCompared),
  };
  return {
    into,
    diagnostics: problems,
    exit: hasErrors(problems) ? EXIT.invalid : EXIT.done,
    json: {
      file: into,
      into,
      pulled: all.map(({ overrides = null, ...each }) => ({ ...pulledJson(each), overrides })),
      notCompared,
      changesLeftOut: wanted.leftOut,
      written: isChanged ? [into] : [],
    } satisfies PullFacts & { readonly file: string },
    text: (styles) => pullText(shown, { files: [into], diagnostics: problems }, styles),
  };
}

function wantedValues(
  { leaves, desired: { file } }: PlannedPortal,
  settings: JsonObject,
  only: readonly Only[],
  { takesAll, isElsewhere }: { readonly takesAll: boolean; readonly isElsewhere: boolean },
): { readonly values: Wish[]; readonly left: Pulled[]; readonly leftOut: number } {
  const isAsked = (path: Path) => isAmong(path, only);
  const differing = leaves
    .map((leaf) => ({
      ...leaf,
      place: leaf.reference ?? leaf.place,
      shown: valueAt(settings, leaf.path) ?? null,
    }))
    .filter(isDifferent);
  const managed = differing.filter(({ path }) => isAsked(path));
  const whyLeft = ({ shown, window }: (typeof differing)[number]) => {
    if (shown === null) return NOTHING;
    // Another file would set for ever what a window sets for a time.
    return isElsewhere && window !== undefined
      ? `the window "${window}" gives it now; pull into the file itself`
      : undefined;
  };
  const keys = new Set(leaves.map(({ path }) => keyOf(path)));
  const others = takesAll
    ? leavesOf(listedIn(settings)).filter(
        ({ path, value }) => !keys.has(keyOf(path)) && isAsked(path) && isChosen(path, value),
      )
    : [];
  return {
    values: [
      ...managed
        .filter((each) => whyLeft(each) === undefined)
        .map(({ path, value, shown, window, place }) => ({
          path,
          before: value,
          value: shown,
          window,
          ...(place && place.file !== file && { overrides: `${place.file}:${place.line}` }),
        })),
      ...others,
    ],
    left: managed.flatMap((each): Pulled[] => {
      const why = whyLeft(each);
      const { path, value: before, shown: value } = each;
      return why === undefined ? [] : [{ path, before, value, outcome: "left", why }];
    }),
    leftOut: differing.length - managed.length,
  };
}

/** Of what is asked for, that of which the file says nothing, so that there is nothing to compare; "settings" for all. */
function notManaged(leaves: readonly DesiredLeaf[], only: readonly Only[]): string[] {
  if (only.length === 0) return leaves.length > 0 ? [] : ["settings"];
  return only
    .filter((each) => !leaves.some(({ path }) => isAmong(path, [each])))
    .map(({ text }) => text);
}

function addingCall(options: PullOptions, file: string, notCompared: readonly string[]): string {
  const only = options.path.length === 0 ? [] : notCompared;
  const { into } = options;
  return [
    `lintel pull ${shellWord(file)} --all`,
    ...only.map((each) => `--path ${shellWord(each)}`),
    ...(into === undefined ? [] : [`--into ${shellWord(into)}`]),
  ].join(" ");
}

/** Not what portals are shipped with, nor what an installer sets. */
function isChosen(path: Path, value: Json): boolean {
  const property = findSetting(path)?.property;
  if (value === null || (isJsonList(value) && value.length === 0)) return false;
  if (!property) return true;
  if (property.setBy === "installer") return false;
  return !stockValues(property).some((stock) => isEqual(stock, value));
}
