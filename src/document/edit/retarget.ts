// Changes the target version in a file's text, and in the schema comment.
import { knownVersion } from "../../catalog/catalog.js";
import { edit } from "./edit.js";

/** Undefined if the target is not a text in the file itself. */
export function retarget(text: string, to: string): string | undefined {
  if (/^[ \t]*targetVersion[ \t]*:[^\n]*\$\{/m.test(text)) return undefined;
  const line = schemaLine(text, to);
  const names = line ? [{ start: line.start, end: line.end, text: line.to }] : [];
  return edit(text, [{ set: ["targetVersion"], value: to }, ...names]);
}

/** The editor's schema comment for one version; a comment for all versions stays. */
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
