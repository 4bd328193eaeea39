// A desired-state file's text and a version → the same text with that target and its schema, and every other byte as it was.
import { knownVersion } from "../../catalog/catalog.js";
import { replaceValues, sourceOf } from "./edit.js";
import { parse } from "../read/parse.js";
import { nodeAt, toJson } from "../read/tree.js";

/** undefined where the target is no text that stands in the file itself. */
export function retarget(text: string, to: string): string | undefined {
  if (/^[ \t]*targetVersion[ \t]*:[^\n]*\$\{/m.test(text)) return undefined;
  const changed =
    inBlockText(text, to) ?? replaceValues(text, [{ path: ["targetVersion"], value: to }]);
  const line = changed === undefined ? undefined : schemaLine(changed, to);
  if (changed === undefined || !line) return changed;
  return changed.slice(0, line.start) + line.names.to + changed.slice(line.end);
}

/** A text below its key, behind | or >, keeps its sign, its indentation and the lines around it. */
function inBlockText(text: string, to: string): string | undefined {
  const { root } = parse(sourceOf(text));
  const node = root && nodeAt(root, ["targetVersion"]);
  const from = node && toJson(node);
  if (!node || node.via.length > 0 || typeof from !== "string") return undefined;
  const { start, end } = node.span;
  const written = text.slice(start, end);
  const version = from.trim();
  if (!/^[|>]/.test(written) || written.split(version).length !== 2) return undefined;
  const next = text.slice(0, start) + written.replace(version, to) + text.slice(end);
  const after = parse(sourceOf(next)).root;
  const found = after && nodeAt(after, ["targetVersion"]);
  return found && toJson(found) === from.replace(version, to) ? next : undefined;
}

export interface SchemaLine {
  /** The stretch that names the schema. */
  readonly start: number;
  readonly end: number;
  readonly names: { readonly from: string; readonly to: string };
}

/** The comment by which an editor finds the schema of one version; the schema of all of them needs no change. */
export function schemaLine(text: string, to: string): SchemaLine | undefined {
  const found =
    /^([ \t]*#[ \t]*yaml-language-server:[ \t]*\$schema=[ \t]*)(\S*desired-state-)(\d+(?:\.\d+)+)(\.schema\.json\S*)/m.exec(
      text,
    );
  if (!found) return undefined;
  const [, before = "", head = "", version = "", tail = ""] = found;
  const known = knownVersion(to) ?? to;
  if (version === known) return undefined;
  const start = found.index + before.length;
  const from = head + version + tail;
  return { start, end: start + from.length, names: { from, to: head + known + tail } };
}
