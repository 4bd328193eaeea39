// Checked files → the errors of those that are about one portal, or keep their states at one place for one, each group told once.
import { aboutFile, hasErrors } from "../../diagnostic.js";
import type { Diagnostic, DiagnosticCode, Place, Related } from "../../diagnostic.js";
import { isPart, type Checked } from "../../document/check/check.js";
import { desiredOf } from "../../document/read/desired.js";
import { placeOf } from "../../document/read/source.js";
import { nodeAt } from "../../document/read/tree.js";
import { identityOf } from "../../state/key.js";
import { isForOnePortal } from "../../state-address/kinds.js";
import type { Named } from "./beside.js";

/** Which portal a file is about, and where its state is kept, so that the file itself can be let go. */
export interface About extends Named {
  /** Where it says whose portal it is about. */
  readonly place: Place | undefined;
  /** Where the state is kept, if that is a place for one alone. */
  readonly state: { readonly address: string; readonly place: Place } | undefined;
}

/** Undefined where a file is wrong in itself, because nobody knows what it means, and for a part. */
export function aboutOf({ file, root, diagnostics }: Checked): About | undefined {
  if (!root || hasErrors(diagnostics) || isPart(file)) return undefined;
  const { portal, state } = desiredOf(file, root);
  const { url = "", id } = portal;
  const placed = (...path: string[]) => {
    const node = nodeAt(root, path);
    return node && placeOf(node.span);
  };
  const place = url === "" ? undefined : placed("portal", "url");
  const stated = state !== undefined && isForOnePortal(state) ? placed("state") : undefined;
  return {
    file,
    url,
    id,
    place,
    state: stated && state ? { address: state, place: stated } : undefined,
  };
}

interface Found {
  readonly file: string;
  /** Where it says so. */
  readonly place: Place;
}

export function samePortals(files: readonly About[]): Diagnostic[] {
  const [byKey, byState] = [new Map<string, Found[]>(), new Map<string, Found[]>()];
  const put = (map: Map<string, Found[]>, key: string, found: Found) => {
    const others = map.get(key);
    if (others) others.push(found);
    else map.set(key, [found]);
  };
  for (const { file, url, id, place, state } of files) {
    if (place) put(byKey, identityOf(url, id).key, { file, place });
    if (state) put(byState, state.address, { file, place: state.place });
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
  const related = [first, ...more].map(({ file, place }): Related => ({
    place,
    message: where(file),
  }));
  const all = `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
  const found = aboutFile(code, at.file, `${all} ${message}`, help);
  return { ...found, place: at.place, related };
}
