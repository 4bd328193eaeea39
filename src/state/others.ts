// The states that stand at one place → the portals of those that are asked for: of each its beginning is read, once a run, and the whole only of what fits.
import { isJsonObject, parseJson } from "../json.js";
import { PORTAL, type RecordedPortal } from "./state.js";

/** What a place tells of the states in it. */
export interface Neighbours {
  /** The beginnings of all, some at a time; may hold more than states. */
  readonly beginnings: () => AsyncIterable<Beginning>;
  readonly whole: (name: string) => Promise<string | undefined>;
}

export interface Beginning {
  readonly name: string;
  readonly text: string;
}

/** Whose state it is stands there, whatever the state holds. */
export const BEGINNING_BYTES = 4096;

export type Others = (
  isMeant: (portal: RecordedPortal) => boolean,
) => Promise<readonly RecordedPortal[]>;

export function openOthers({ beginnings, whole }: Neighbours): Others {
  let known: Promise<ReadonlyMap<string, RecordedPortal>> | undefined;

  async function look() {
    const found = new Map<string, RecordedPortal>();
    for await (const { name, text } of beginnings()) {
      // Written by another program, or anew by a formatter.
      const portal = portalIn(text) ?? wholeIn((await whole(name)) ?? "")?.portal;
      if (portal) found.set(name, portal);
    }
    return found;
  }

  return async (isMeant) => {
    const meant = [...(await (known ??= look()))].filter(([, portal]) => isMeant(portal));
    const told = await Promise.all(meant.map(async ([name]) => wholeIn((await whole(name)) ?? "")));
    return told.flatMap((state) => (state && !state.isMoved ? [state.portal] : []));
  };
}

/** As `printState` lays it out. */
function portalIn(text: string): RecordedPortal | undefined {
  const [, portal] = /^ {2}"portal": (\{$[^]*?^ {2}\}),?$/m.exec(text) ?? [];
  return portal === undefined ? undefined : portalOf(parseJson(portal));
}

/** What is no whole state tells of itself when its own turn comes. */
function wholeIn(text: string) {
  const json = parseJson(text);
  if (!isJsonObject(json)) return undefined;
  const portal = portalOf(json["portal"]);
  return portal && { portal, isMoved: json["moved"] !== undefined };
}

function portalOf(json: ReturnType<typeof parseJson>): RecordedPortal | undefined {
  try {
    return json === undefined ? undefined : PORTAL(json);
  } catch {
    return undefined;
  }
}
