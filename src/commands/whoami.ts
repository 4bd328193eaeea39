// lintel whoami: a file's credentials → who they are, and when the token ends.
import type { Run, Words } from "./command.js";
import { NETWORK } from "./options.js";
import {
  portalUrlOf,
  serviceAndPortalOf,
  signInOf,
  type Desired,
} from "../document/read/desired.js";
import { isJsonObject, type Json, type JsonObject } from "../json.js";
import { assertPermitted, recipientsOf } from "../http/permits.js";
import { readSelf } from "../portal/portal.js";
import { withoutEchoes, visible } from "../text.js";
import { secretsOf } from "../request.js";
import { type Paint } from "../report/text/paint.js";
import type { Session } from "../session/sign-ins.js";
import { withNetwork, type Network } from "./call/network.js";
import { readOneFile } from "./call/tools.js";
import { checkResult, done } from "./result/result.js";

export const words = {
  operands: "[FILE]",
  options: NETWORK,
  formats: ["text", "json"],
  examples: [
    ["lintel whoami", "with the signIn of portal.yaml"],
    ["lintel whoami portals/staging.yaml --verbose", "shows each request"],
  ],
} as const satisfies Words;

export const run: Run<typeof words.options> = async (io, call) => {
  const { file, desired, diagnostics } = await readOneFile("whoami", io, call);
  if (!desired) return checkResult("whoami", [file], diagnostics);
  const signIn = signInOf(desired, io);
  return withNetwork(io, call, "reading", async (network) => {
    const { service, portal } = serviceAndPortalOf(desired);
    await assertPermitted(network.permits, recipientsOf(service, portal));
    const session = network.signIns.open(signIn);
    const endsAtMs = await session.endsAtMs();
    const user = await userOf(desired, session, network);
    const ends = endsAtMs === undefined ? null : new Date(endsAtMs).toISOString();
    const more = { method: signIn.method, user: namesOf(user), tokenEnds: ends };
    return done("whoami", more, (paint) => whoText(more, endsAtMs, io.now(), paint));
  });
};

/** As the sign-in service knows the user; as the portal does, where the portal itself gives the token. */
async function userOf(desired: Desired, session: Session, network: Network): Promise<JsonObject> {
  if (session.whoAmI) return session.whoAmI();
  const portal = { url: portalUrlOf(desired), id: desired.portal.id };
  const { user } = await readSelf({ http: network.http, portal, token: session.token });
  const signed = await session.token({ url: portal.url, repeats: "freely" });
  return isJsonObject(user) ? withoutEchoes(user, secretsOf(signed)) : {};
}

/** What tells a person who it is. The objects hold far more, and not all of it is for a log. */
const TELLING = "FullName PrimaryEmail UID ReferenceID IsActive username fullName email role".split(
  " ",
);

function namesOf(user: JsonObject): JsonObject {
  const told = TELLING.filter((name) => isPlain(user[name])).map((name) => [name, user[name]]);
  return Object.fromEntries(told) as JsonObject;
}

function isPlain(value: Json | undefined): boolean {
  return value !== undefined && value !== null && typeof value !== "object" && value !== "";
}

function whoText(
  { method, user }: { readonly method: string; readonly user: JsonObject },
  endsAtMs: number | undefined,
  now: number,
  paint: Paint,
): string {
  const rows = Object.entries(user);
  if (rows.length === 0) rows.push(["user", "signed in; the answer names nobody"]);
  const end = endText(endsAtMs, now, paint);
  return [["signed in by", method] as const, ...rows, ["token ends", end] as const]
    .map(([name, value]) => [name, typeof value === "string" ? value : JSON.stringify(value)])
    .map(([name = "", text = ""]) => `${name.padEnd(14)}${visible(text)}\n`)
    .join("");
}

function endText(endsAtMs: number | undefined, now: number, { time }: Paint): string {
  if (endsAtMs === undefined) return "the token does not tell";
  const minutes = Math.round((endsAtMs - now) / 60_000);
  const left =
    minutes < 0 ? "over" : minutes < 120 ? `in ${minutes} min` : `in ${Math.round(minutes / 60)} h`;
  return `${time(new Date(endsAtMs).toISOString())} (${left})`;
}
