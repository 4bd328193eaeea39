// Checked files → the errors of those that are about one portal, each group told once.
import { aboutFile, hasErrors, type Diagnostic, type Related } from "../../diagnostic.js";
import { isPart, type Checked } from "../../document/check/check.js";
import { desiredOf } from "../../document/read/desired.js";
import { placeOf } from "../../document/read/source.js";
import { nodeAt, type Node } from "../../document/read/tree.js";
import { identityOf } from "../../state/key.js";

interface Found {
  readonly file: string;
  readonly url: Node;
}

/** A file that is wrong in itself is left out, because nobody knows what it means. */
export function samePortals(checks: readonly Checked[]): Diagnostic[] {
  const byKey = new Map<string, Found[]>();
  for (const { file, root, diagnostics } of checks) {
    if (!root || hasErrors(diagnostics) || isPart(file)) continue;
    const { url, id } = desiredOf(file, root).portal;
    const node = nodeAt(root, ["portal", "url"]);
    if (url === undefined || !node) continue;
    const { key } = identityOf(url, id);
    byKey.set(key, [...(byKey.get(key) ?? []), { file, url: node }]);
  }
  return [...byKey.values()].flatMap(([first, ...others]) =>
    first && others.length > 0 ? [twice(first, others)] : [],
  );
}

function twice(first: Found, others: readonly Found[]): Diagnostic {
  const [at = first] = others;
  const names = [first, ...others].map(({ file }) => `"${file}"`);
  const related = [first, ...others.slice(1)].map(({ file, url }): Related => ({
    place: placeOf(url.span),
    message: `is where "${file}" says that its portal is`,
  }));
  const message = `${names.slice(0, -1).join(", ")} and ${names.at(-1)} are about the same portal.`;
  const help = "Name one of them in a call, or make one file of them.";
  const found = aboutFile("same-portal-twice", at.file, message, help);
  return { ...found, place: placeOf(at.url.span), related };
}
