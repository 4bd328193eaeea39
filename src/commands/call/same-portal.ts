// Checked files → the errors of those that are about one portal, or keep their states at one place for one, each group told once.
import { aboutFile, hasErrors } from "../../diagnostic.js";
import type { Diagnostic, DiagnosticCode, Related } from "../../diagnostic.js";
import { isPart, type Checked } from "../../document/check/check.js";
import { desiredOf } from "../../document/read/desired.js";
import { placeOf } from "../../document/read/source.js";
import { nodeAt, type Node } from "../../document/read/tree.js";
import { identityOf } from "../../state/key.js";
import { isForOnePortal } from "../../state-address/kinds.js";

interface Found {
  readonly file: string;
  /** Where it says so. */
  readonly node: Node;
}

/** A file that is wrong in itself is left out, because nobody knows what it means. */
export function samePortals(checks: readonly Checked[]): Diagnostic[] {
  const [byKey, byState] = [new Map<string, Found[]>(), new Map<string, Found[]>()];
  const put = (map: Map<string, Found[]>, key: string, found: Found) =>
    map.set(key, [...(map.get(key) ?? []), found]);
  for (const { file, root, diagnostics } of checks) {
    if (!root || hasErrors(diagnostics) || isPart(file)) continue;
    const { portal, state } = desiredOf(file, root);
    const [url, stated] = [nodeAt(root, ["portal", "url"]), nodeAt(root, ["state"])];
    if (portal.url !== undefined && url) {
      put(byKey, identityOf(portal.url, portal.id).key, { file, node: url });
    }
    if (state !== undefined && stated && isForOnePortal(state)) {
      put(byState, state, { file, node: stated });
    }
  }
  return [...groupsOf(byKey).map(twice), ...groupsOf(byState).map(shared)];
}

type Group = readonly [Found, Found, ...Found[]];

function groupsOf(map: ReadonlyMap<string, readonly Found[]>): Group[] {
  return [...map.values()].flatMap(([first, second, ...more]): Group[] =>
    first && second ? [[first, second, ...more]] : [],
  );
}

function twice(group: Group): Diagnostic {
  return told(group, {
    code: "same-portal-twice",
    message: "are about the same portal.",
    help: "Name one of them in a call, or make one file of them.",
    where: (file) => `is where "${file}" says that its portal is`,
  });
}

function shared(group: Group): Diagnostic {
  return told(group, {
    code: "state-place-shared",
    message: "keep their states at one address, which can hold that of one portal.",
    help: "Let each have an address of its own, made from what tells portals apart:\n  state: https://…/${portal.key}",
    where: (file) => `is where "${file}" says that its state is`,
  });
}

interface Told {
  readonly code: DiagnosticCode;
  /** Goes on from the names of the files. */
  readonly message: string;
  readonly help: string;
  readonly where: (file: string) => string;
}

function told([first, at, ...more]: Group, { code, message, help, where }: Told): Diagnostic {
  const names = [first, at, ...more].map(({ file }) => `"${file}"`);
  const related = [first, ...more].map(({ file, node }): Related => ({
    place: placeOf(node.span),
    message: where(file),
  }));
  const all = `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
  const found = aboutFile(code, at.file, `${all} ${message}`, help);
  return { ...found, place: placeOf(at.node.span), related };
}
