// Both ends of a plan, by digest: what it was made from, so that it is carried out on nothing else.
import { digest, pointInto, type JsonObject } from "../json.js";
import type { Guard, Opening } from "./guard.js";
import type { Identity, Inputs } from "./inputs.js";
import { underneath, type PlannedRequest } from "./request.js";

export interface Binding {
  readonly toolVersion: string;
  readonly portal: Identity;
  /** Null where nothing was ever applied, or the state was left out. */
  readonly state: {
    readonly lineage: string;
    readonly serial: number;
    readonly digest: string;
  } | null;
  /** Digest of the live values that the request is sent over; null where none is, or none were read. */
  readonly live: string | null;
  /** Digest of what the file wants once everything in it is replaced; where it says so does not count. */
  readonly desired: string;
  readonly opened: readonly {
    readonly name: string;
    readonly path: Guard["path"];
    readonly openedBy: Opening;
  }[];
}

export function bind(
  inputs: Inputs,
  request: PlannedRequest | null,
  guards: readonly Guard[],
): Binding {
  const { toolVersion, last } = inputs;
  const { name, url, id } = inputs.portal;
  return {
    toolVersion,
    portal: { name, url, id },
    state: last ? { lineage: last.lineage, serial: last.serial, digest: last.digest } : null,
    live: request && inputs.live.kind === "read" ? digest(sentOver(inputs, request)) : null,
    desired: digestOfDesired(inputs),
    opened: guards.flatMap(({ name, path, openedBy }) =>
      openedBy ? [{ name, path, openedBy }] : [],
    ),
  };
}

function sentOver(inputs: Inputs, { parameters }: PlannedRequest): JsonObject {
  const live = underneath(inputs);
  return Object.fromEntries(parameters.map((name) => [name, pointInto(live, [name]) ?? null]));
}

function digestOfDesired({ desired, deployment, target }: Inputs): string {
  // In the order of their names, so that the digest need not copy each to order them.
  const leaves = desired.map(({ path, action, value }) => ({ action, path, value }));
  return digest({ deployment, leaves, target: target.asked });
}
