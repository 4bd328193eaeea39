// Changes the target version of a file's text, and the schema that its comment names.
import { knownVersion } from "../../catalog/catalog.js";
import { edit } from "./edit.js";

/** undefined where the target is no text that stands in the file itself. */
export function retarget(text: string, to: string): string | undefined {
  if (/^[ \t]*targetVersion[ \t]*:[^\n]*\$\{/m.test(text)) return undefined;
  const line = schemaLine(text, to);
  const names = line ? [{ start: line.start, end: line.end, text: line.to }] : [];
  return edit(text, [{ set: ["targetVersion"], value: to }, ...names]);
}

/** The comment by which an editor finds the schema of one version; the schema of all of them needs no change. */
export function schemaLine(text: string, to: string) {
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
  return { start, end: start + from.length, from, to: head + known + tail };
}
