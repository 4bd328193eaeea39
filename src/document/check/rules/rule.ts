// Declares what a rule is: its code, its severity, and its findings in the settings of a file.
import {
  catalog,
  findParameter,
  findSetting,
  isAccepted,
  isIntroduced,
  type Setting,
} from "../../../catalog/catalog.js";
import type { Parameter, ValueType } from "../../../catalog/facts.js";
import type { Deployment, SettingPath, Version } from "../../../../schemas/names.js";
import { isJsonObject, type Json, type JsonObject } from "../../../lib/json.js";
import type { Path } from "../../../settings.js";
import {
  childOf,
  entriesOf,
  textOf,
  toJson,
  type Entry,
  type Node,
  type Placed,
} from "../../read/tree.js";

/** A parameter or setting in the file. */
export interface Found {
  readonly path: Path;
  readonly entry: Entry;
}

export interface FoundSetting extends Found {
  readonly setting: Setting;
  /** Absent for a mark without a value, or an unknown one. */
  readonly value: Json | undefined;
}

export interface View {
  readonly root: Node;
  /** As YYYY-MM-DD; undefined without a clock. */
  readonly today: string | undefined;
  /** The newest listed version at or below the target; undefined if the target is invalid. */
  readonly target: Version | undefined;
  /** Undefined if it is invalid. */
  readonly deployment: string | undefined;
  readonly parameters: readonly (Found & { readonly parameter: Parameter })[];
  /** In file order, without those that an overlay removes. */
  readonly settings: readonly FoundSetting[];
  /** Settings of available parameters; an unavailable parameter has one diagnostic of its own. */
  readonly available: readonly FoundSetting[];
  ofType(type: ValueType): readonly FoundSetting[];
  get(path: SettingPath): FoundSetting | undefined;
}

export interface Rule {
  readonly code: string;
  /** The default, which the file can change. */
  readonly severity: "error" | "warning";
  /** The finding, as the manual describes it. */
  readonly meaning: string;
  readonly find: (view: View) => readonly Finding[];
}

export interface Finding {
  readonly path: Path;
  /** A value, or its key. */
  readonly at: Placed;
  readonly message: string;
  readonly help: string;
  /** Another place that is involved. */
  readonly also?: { readonly node: Node; readonly message: string };
}

export function viewOf(root: Node, target: Version | undefined, today: string | undefined): View {
  const parameters = [...entriesOf(childOf(root, "settings"))].flatMap(([name, entry]) => {
    const parameter = findParameter(name);
    return parameter && !isDropped(entry.value)
      ? [{ parameter, path: ["settings", name], entry }]
      : [];
  });
  const settings = parameters.flatMap(settingsOf);
  const chosen = childOf(root, "deployment");
  const deployment = chosen
    ? catalog.deployments.find(({ name }) => name === textOf(chosen))?.name
    : ("enterprise" satisfies Deployment);
  const unavailable = new Set(
    parameters.flatMap(({ parameter }) =>
      (!deployment || isAccepted(parameter, deployment)) &&
      (!target || isIntroduced(parameter, target))
        ? []
        : [parameter],
    ),
  );
  const available = settings.filter(({ setting }) => !unavailable.has(setting.parameter));
  return {
    root,
    today,
    target,
    deployment,
    parameters,
    settings,
    available,
    ofType: (type) => settings.filter(({ setting }) => setting.property?.type === type),
    get: (path) => settings.find(({ setting }) => setting.path === path),
  };
}

function settingsOf({ parameter, path, entry }: View["parameters"][number]): FoundSetting[] {
  const held = parameter.object ? entriesOf(entry.value) : [[undefined, entry] as const];
  const found: FoundSetting[] = [];
  for (const [name, each] of held) {
    const own = name === undefined ? [] : [name];
    const setting = findSetting([parameter.name, ...own]);
    if (!setting || isDropped(each.value)) continue;
    const value = valueOf(each.value, setting);
    found.push({ setting, path: [...path, ...own], entry: each, value });
  }
  return found;
}

function valueOf(node: Node, setting: Setting): Json | undefined {
  if (node.kind === "mark") return node.mark === "default" ? setting.property?.default : undefined;
  return toJson(node);
}

function isDropped(node: Node): boolean {
  return node.kind === "mark" && node.mark === "unmanaged";
}

/** A finding about a setting's value or key. */
export function onValue({ path, entry }: Found, message: string, help: string): Finding {
  return { path, at: entry.value, message, help };
}

export function onKey({ path, entry }: Found, message: string, help: string): Finding {
  return { path, at: entry.key, message, help };
}

/** A finding about a list item. */
export function onItem(
  { path, entry }: Found,
  index: number,
  message: string,
  help: string,
): Finding {
  return { path: [...path, index], at: childOf(entry.value, index) ?? entry.value, message, help };
}

/** The name as the file spells it. */
export function nameOf({ path }: Found): string {
  return String(path.at(-1));
}

/** The objects in a list, each with its index. */
export function objectsIn(value: Json | undefined): (readonly [JsonObject, number])[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((item: Json, at) => (isJsonObject(item) ? [[item, at] as const] : []));
}
