// The states that stand at one place → the portals among them that call themselves alike: of each its beginning is read, once a run, and the whole only of what fits.
import { isJsonObject, parseJson } from "../lib/json.js";
import { PORTAL, type OwnPortal, type RecordedPortal } from "./state.js";

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

/** Told the key of what a portal calls itself. */
export type Others = (ownKey: string) => Promise<readonly RecordedPortal[]>;

/** Every portal that an organisation runs itself has this id. */
const COMMON_ID = "0123456789ABCDEF";

/**
 * The same for every name by which one portal is called. An organisation of the hosted service has an id that no other
 * has; elsewhere it takes the host that the portal calls its own, or the address by which it is called.
 */
export function ownKeyOf({ id, hostname }: OwnPortal, url: string): string {
  const isUnique = /^[A-Za-z0-9]{16}$/.test(id) && id !== COMMON_ID;
  return isUnique ? id : `${id} ${hostname ?? url}`;
}

export function openOthers({ beginnings, whole }: Neighbours): Others {
  let known: Promise<ReadonlyMap<string, readonly string[]>> | undefined;

  /** By their keys, because thousands of portals may ask for theirs. */
  async function look() {
    const found = new Map<string, string[]>();
    for await (const { name, text } of beginnings()) {
      // Written by another program, or anew by a formatter.
      const portal = portalIn(text) ?? wholeIn((await whole(name)) ?? "")?.portal;
      if (!portal?.own) continue;
      const key = ownKeyOf(portal.own, portal.url);
      const named = found.get(key);
      if (named) named.push(name);
      else found.set(key, [name]);
    }
    return found;
  }

  return async (ownKey) => {
    const named = (await (known ??= look())).get(ownKey) ?? [];
    const told = await Promise.all(named.map(async (name) => wholeIn((await whole(name)) ?? "")));
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
