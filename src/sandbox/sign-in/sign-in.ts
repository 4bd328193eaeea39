// The sign-in interface: carries out its five operations, as the catalogue lists them.
import { catalog } from "../../catalog/catalog.js";
import type { AdminKeyName, OperationName } from "../../../schemas/names.js";
import { isJsonObject, parseJson, type JsonObject } from "../../lib/json.js";
import { browserAccount } from "./browser.js";
import type { SignInOperation } from "../../catalog/facts.js";
import { answerText, type Answer } from "../../lib/local-server.js";
import { answerJson, bearer, mediaType, redirect, type Incoming } from "../incoming.js";
import { SERVICE_ACCOUNT, type Account } from "../memory.js";
import { signInAddress, findByPassword, SIGN_IN_BASE, type SandboxContext } from "../context.js";

const LIFETIME_S = 24 * 60 * 60;

/** undefined for a path outside of this interface. */
export function answerSignIn(context: SandboxContext, incoming: Incoming): Answer | undefined {
  if (!incoming.path.startsWith(`${SIGN_IN_BASE}/`)) return undefined;
  if (!context.switches.hasSignInService) return undefined;
  // Such interfaces ignore letter case.
  const path = incoming.path.slice(SIGN_IN_BASE.length).toLowerCase();
  const found = catalog.operations.filter((each) => each.path === path);
  if (found.length === 0) return refuse(404, "No operation has this address.");
  const operation = found.find((each) => each.method === incoming.method);
  if (!operation) {
    const answer = refuse(405, `This operation does not take ${incoming.method}.`);
    const allow = found.map((each) => each.method).join(", ");
    return { ...answer, headers: { ...answer.headers, allow } };
  }
  const { isWithin, headers } = countCall(context, operation, incoming.address);
  const answer = isWithin
    ? CARRY_OUT[operation.name as OperationName](context, incoming, path)
    : refuse(429, "The limit of calls to this operation is reached; wait until it is reset.");
  return { ...answer, headers: { ...answer.headers, ...headers } };
}

/** An operation without a documented limit is always within, and has no headers. */
export function countCall(
  { calls, switches: { now } }: Pick<SandboxContext, "calls" | "switches">,
  { name, limit }: SignInOperation,
  address: string,
) {
  if (!limit) return { isWithin: true, headers: {} };
  const key = `${name} ${address}`;
  const open = calls.get(key);
  const window =
    open && now() < open.endsAt ? open : { endsAt: now() + limit.seconds * 1000, count: 0 };
  window.count++;
  calls.set(key, window);
  return {
    isWithin: window.count <= limit.calls,
    headers: {
      "x-ratelimit-limit": String(limit.calls),
      "x-ratelimit-remaining": String(Math.max(0, limit.calls - window.count)),
      // Such a date has whole seconds; rounded down, it would invite a call that is still too early.
      "x-ratelimit-reset": new Date(Math.ceil(window.endsAt / 1000) * 1000).toUTCString(),
    },
  };
}

type CarryOut = (context: SandboxContext, incoming: Incoming, path: string) => Answer;
type FindAccount = (context: SandboxContext, one: string, two: string) => Account | undefined;

const logIn = logInBy(["username", "password"], findByPassword);
const adminKeys = ["BEID", "WebServicesKey"] as const satisfies readonly AdminKeyName[];

const CARRY_OUT: Readonly<Record<OperationName, CarryOut>> = {
  auth: logIn,
  login: logIn,
  loginadmin: logInBy(adminKeys, findByKeys),
  loginsso: answerSingleSignOn,
  getuser: answerUser,
};

function findByKeys({ memory }: SandboxContext, beid: string, key: string): Account | undefined {
  const remembered = memory.read();
  // GUIDs are the same in either case.
  const isSame = (left: string, right: string) => left.toLowerCase() === right.toLowerCase();
  return isSame(beid, remembered.beid) && isSame(key, remembered.webServicesKey)
    ? remembered.accounts.find((each) => each.username === SERVICE_ACCOUNT)
    : undefined;
}

function logInBy(names: readonly [string, string], find: FindAccount): CarryOut {
  return (context, incoming) => {
    if (mediaType(incoming) !== "application/json") {
      return refuse(415, "This operation takes a body of type application/json.");
    }
    const body = parseJson(incoming.body);
    if (body === undefined) return refuse(400, "The body is not JSON.");
    if (!isJsonObject(body)) return refuse(400, "The body is not a JSON object.");
    const [one, two] = names.map((name) => textOf(body, name));
    if (!one || !two) return refuse(400, `The body needs ${names.join(" and ")}.`);
    return admit(context, find(context, one, two));
  };
}

function textOf(body: JsonObject, name: string): string | undefined {
  const key = Object.keys(body).find((each) => each.toLowerCase() === name.toLowerCase());
  const value = key === undefined ? undefined : body[key];
  return typeof value === "string" ? value : undefined;
}

function admit(context: SandboxContext, account: Account | undefined): Answer {
  if (!account) return refuse(401, "The credentials are not valid.");
  // Which status a real service gives is not documented.
  if (!account.isActive) return refuse(403, "The account is not active.");
  const { token } = context.tokens.issue({ sub: account.username, kind: "sign-in" }, LIFETIME_S);
  return answerText(200, token);
}

function answerSingleSignOn(context: SandboxContext, incoming: Incoming, path: string): Answer {
  const account = browserAccount(context, incoming);
  if (account) return admit(context, account);
  return (incoming.headers.accept ?? "").includes("text/html")
    ? redirect(signInAddress(`${SIGN_IN_BASE}${path}`))
    : refuse(401, "Single sign-on needs the session of a browser.");
}

function answerUser(context: SandboxContext, incoming: Incoming): Answer {
  const found = context.tokens.read(bearer(incoming.headers.authorization) ?? "");
  if (!found || found.claims.kind !== "sign-in" || !found.account.isActive) {
    return refuse(401, "The token is not valid.");
  }
  const { account } = found;
  const isService = account.username === SERVICE_ACCOUNT;
  return answerJson(200, {
    UID: account.uid,
    BEID: context.memory.read().beid,
    FullName: account.fullName,
    PrimaryEmail: isService ? null : `${account.username}@example.com`,
    ReferenceID: context.memory.read().accounts.indexOf(account) + 1,
    IsActive: account.isActive,
    TypeID: isService ? 2 : 1,
  });
}

function refuse(status: number, message: string): Answer {
  return answerJson(status, { ID: -1, Message: message });
}
