// What the old file holds under each name → one outcome a property, with the reason in words.
import { ADVANCED, findParameter, isIntroduced, stockValues } from "../catalog/catalog.js";
import { isEqual, type Json } from "../json.js";
import { known } from "./json.js";
import { counterpartOf, counterparts, nearSetting, type Counterpart } from "./known.js";
import { remarksOn, type Remark } from "./remark.js";
import type { Stretch } from "./script.js";
import { REASONS, type Entry, type Thing, type Why } from "./value.js";
import { wrongType } from "./wrong-type.js";
import { readKey, type World } from "./world.js";

export type PropertyOutcome =
  | "migrated"
  | "stock"
  | "needs-newer-target"
  | "not-understood"
  | "invalid"
  | "no-counterpart";

export interface Judged {
  /** As the file spells it. */
  readonly name: string;
  readonly outcome: PropertyOutcome;
  /** Absent where it has no counterpart, or could not be understood. */
  readonly value?: Json;
  readonly counterpart?: Counterpart;
  /** Where it is set. */
  readonly at: Stretch;
  /** What keeps its value from being known. */
  readonly cause?: Why;
  /** The whole property, as far as it stands there. */
  readonly entry?: Pick<Entry, "name" | "written">;
  readonly message: string;
  readonly help?: string;
  readonly remarks: readonly Remark[];
}

export interface Judging {
  readonly target: string;
  /** Stock values too. */
  readonly takesAll: boolean;
}

/** `everything` tells why nothing in it can be relied on. */
export function judge(
  config: Thing,
  everything: Why | undefined,
  world: World,
  judging: Judging,
): Judged[] {
  const cause = everything ?? config.spoiled ?? config.rest;
  const named = new Set([...config.entries.keys(), ...config.spoiledKeys.keys()]);
  const missing = counterparts().filter(
    ({ inFile, inReference }) => !named.has(inFile) && !named.has(inReference),
  );
  return [
    ...[...named].map((name) => judgeOne(name, config, everything, world, judging)),
    // What may be set by code that is not understood may be set to any of them.
    ...(cause ? missing.map(({ inFile }) => notUnderstood(inFile, cause)) : []),
  ];
}

function judgeOne(
  name: string,
  config: Thing,
  everything: Why | undefined,
  world: World,
  { target, takesAll }: Judging,
): Judged {
  const entry = config.entries.get(name);
  const at = entry?.name ?? config.spoiledKeys.get(name)?.at ?? everything?.at;
  if (!at) throw new TypeError(`nothing sets "${name}"`);
  const counterpart = counterpartOf(name);
  if (!counterpart) return noCounterpart(name, at);
  const { property, inFile, inReference } = counterpart;
  if (everything) return notUnderstood(name, everything, entry);
  const found = known(readKey(world, config, name, { reason: "name", at }), at, world);
  if (found.why) return notUnderstood(name, found.why, entry);

  const here = { name, counterpart, at, ...(entry && { entry }) };
  const remarks = [
    ...config.repeated.filter((each) => each.name === name).map(repeatedRemark),
    ...("json" in found ? remarksOn(name, property, found.json, found.isAssumed) : []),
    ...(name === inReference && name !== inFile ? [spellingRemark(name, inFile)] : []),
  ];
  const value = "json" in found ? found.json : null;
  if (name === inReference && name !== inFile && config.entries.has(inFile)) {
    return {
      ...here,
      outcome: "invalid",
      value,
      message: `"${name}" is another spelling of "${inFile}", which the file holds as well.`,
      help: `The old portal read "${inFile}". Remove the other one.`,
      remarks,
    };
  }
  const wrong = wrongType(name, property, "json" in found ? found.json : found.odd);
  if (wrong) {
    return {
      ...here,
      outcome: "invalid",
      value,
      message: `"${name}" ${wrong.is}.`,
      help: wrong.help,
      remarks,
    };
  }
  const isStock = stockValues(property).some((each) => isEqual(each, value));
  if (isStock && !takesAll) {
    return {
      ...here,
      outcome: "stock",
      value,
      message: `"${name}" has a value that portals were shipped with, so that nobody need have chosen it.`,
      help: "To take such values over as well, add --all.",
      remarks: [],
    };
  }
  const parameter = findParameter(ADVANCED);
  const needed = [parameter, property].find((each) => each && !isIntroduced(each, target));
  if (needed) {
    return {
      ...here,
      outcome: "needs-newer-target",
      value,
      message: `"${name}" can be set from ${needed.introduced} on, after the target ${target}.`,
      help: `Raise the target once the portal is that new:\n  --target ${needed.introduced}`,
      remarks: [],
    };
  }
  return {
    ...here,
    outcome: "migrated",
    value,
    message: isStock
      ? `"${name}" is taken over, though it has a value that portals were shipped with.`
      : `"${name}" is taken over.`,
    remarks,
  };
}

function noCounterpart(name: string, at: Stretch): Judged {
  const near = nearSetting(name);
  return {
    name,
    outcome: "no-counterpart",
    at,
    message: near
      ? `"${name}" is no setting, and almost one. ${near}`
      : `"${name}" has no counterpart among the settings from 11.0 on.`,
    ...(near && { help: near }),
    remarks: near
      ? [
          {
            code: "near-name",
            message: `"${name}" is no setting, and almost one.`,
            help: `${near} The old portal read nothing from a name that it did not know.`,
          },
        ]
      : [],
  };
}

function notUnderstood(name: string, cause: Why, entry?: Entry): Judged {
  const { reason } = cause;
  const counterpart = counterpartOf(name);
  return {
    name,
    outcome: "not-understood",
    ...(counterpart && { counterpart }),
    at: entry?.name ?? cause.at,
    cause,
    ...(entry && { entry }),
    message: `The value of "${name}" cannot be known: it ${REASONS[reason]}.`,
    help:
      reason === "host"
        ? "Say where the portal is:\n  --portal-url https://gis.example.com/portal"
        : `Look up in a browser what it is, and add it by hand:\n  ${name}: …`,
    remarks: [],
  };
}

function spellingRemark(name: string, inFile: string): Remark {
  return {
    code: "no-effect",
    message: `"${name}" had no effect on the old portal, which read "${inFile}".`,
    help: "Decide whether the new portal is to have what the old one did not do.",
  };
}

function repeatedRemark({ first, again, name }: Thing["repeated"][number]): Remark {
  return {
    code: "repeated-name",
    message: `"${name}" is set twice here, and the later value counts.`,
    help: "Check that it is the one that is meant.",
    at: again,
    related: { at: first, message: "sets it first" },
  };
}
