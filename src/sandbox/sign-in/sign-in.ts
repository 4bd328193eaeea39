// The sign-in interface: its five operations, as the catalogue lists them → a token, the user, or a refusal.
import { catalog } from "../../catalog/catalog.js";
import type { SignInOperation } from "../../catalog/facts.js";
import type { AdminKeyName, OperationName } from "../../../schemas/names.js";
import { isJsonObject, type JsonObject } from "../../json.js";
import { browserAccount } from "./browser.js";
import { answerJson, answerText, bearer, mediaType, redirect } from "../server/exchange.js";
import type { Answer, Asked } from "../server/exchange.js";
import { SERVICE_ACCOUNT, type Account } from "../store.js";
import { BROWSER_SIGN_IN, findByPassword, SIGN_IN_BASE, type World } from "../world.js";

const LIFETIME_S = 24 * 60 * 60;

/** undefined for a path that is none of this interface's. */
export function answerSignIn(world: World, asked: Asked): Answer | undefined {
  if (!asked.path.startsWith(`${SIGN_IN_BASE}/`)) return undefined;
  // Such interfaces do not tell capital letters from small ones.
  const path = asked.path.slice(SIGN_IN_BASE.length).toLowerCase();
  const found = catalog.operations.filter((each) => each.path === path);
  if (found.length === 0) return refuse(404, "No operation has this address.");
  const operation = found.find((each) => each.method === asked.method);
  if (!operation) {
    const answer = refuse(405, `This operation does not take ${asked.method}.`);
    const allow = found.map((each) => each.method).join(", ");
    return { ...answer, headers: { ...answer.headers, allow } };
  }
  const { isWithin, headers } = world.limiter.count(operation, asked.address);
  const answer = isWithin
    ? carryOut(world, operation, asked)
    : refuse(429, "The limit of calls to this operation is reached; wait until it is reset.");
  return { ...answer, headers: { ...answer.headers, ...headers } };
}

function carryOut(world: World, operation: SignInOperation, asked: Asked): Answer {
  const name = operation.name as OperationName;
  switch (name) {
    case "auth":
    case "login":
      return withBody(asked, ["username", "password"], (username, password) =>
        admit(world, findByPassword(world, username, password)),
      );
    case "loginadmin":
      return withBody(asked, adminKeys, (beid, key) => admit(world, findByKeys(world, beid, key)));
    case "loginsso":
      return answerSingleSignOn(world, asked, operation);
    case "getuser":
      return answerUser(world, asked);
    default:
      throw name satisfies never;
  }
}

const adminKeys = ["BEID", "WebServicesKey"] as const satisfies readonly AdminKeyName[];

function findByKeys({ store }: World, beid: string, key: string): Account | undefined {
  const remembered = store.read();
  // GUIDs are the same in either case.
  const isSame = (left: string, right: string) => left.toLowerCase() === right.toLowerCase();
  return isSame(beid, remembered.beid) && isSame(key, remembered.webServicesKey)
    ? remembered.accounts.find((each) => each.username === SERVICE_ACCOUNT)
    : undefined;
}

function withBody(
  asked: Asked,
  names: readonly [string, string],
  next: (first: string, second: string) => Answer,
): Answer {
  if (mediaType(asked) !== "application/json") {
    return refuse(415, "This operation takes a body of type application/json.");
  }
  let body: unknown;
  try {
    body = JSON.parse(asked.body);
  } catch {
    return refuse(400, "The body is not JSON.");
  }
  if (!isJsonObject(body)) return refuse(400, "The body is not a JSON object.");
  const [first, second] = names.map((name) => textOf(body, name));
  if (!first || !second) return refuse(400, `The body needs ${names.join(" and ")}.`);
  return next(first, second);
}

function textOf(body: JsonObject, name: string): string | undefined {
  const key = Object.keys(body).find((each) => each.toLowerCase() === name.toLowerCase());
  const value = key === undefined ? undefined : body[key];
  return typeof value === "string" ? value : undefined;
}

function admit(world: World, account: Account | undefined): Answer {
  if (!account) return refuse(401, "The credentials are not valid.");
  // Which status a real service gives is not documented.
  if (!account.isActive) return refuse(403, "The account is not active.");
  const token = world.tokens.issue({
    sub: account.username,
    exp: Math.floor(world.now() / 1000) + LIFETIME_S,
    kind: "sign-in",
  });
  const shape = world.tokenShape();
  switch (shape) {
    case "text":
      return answerText(200, token);
    case "json-string":
      return answerJson(200, token);
    case "json-object":
      return answerJson(200, { token });
    default:
      throw shape satisfies never;
  }
}

function answerSingleSignOn(world: World, asked: Asked, { path }: SignInOperation): Answer {
  const account = browserAccount(world, asked);
  if (account) return admit(world, account);
  return (asked.headers.accept ?? "").includes("text/html")
    ? redirect(`${BROWSER_SIGN_IN}?then=${encodeURIComponent(`${SIGN_IN_BASE}${path}`)}`)
    : refuse(401, "Single sign-on needs the session of a browser.");
}

function answerUser(world: World, asked: Asked): Answer {
  const found = world.tokens.read(bearer(asked.headers.authorization) ?? "");
  if (!found || found.claims.kind !== "sign-in" || !found.account.isActive) {
    return refuse(401, "The token is not valid.");
  }
  const { account } = found;
  const isService = account.username === SERVICE_ACCOUNT;
  return answerJson(200, {
    UID: account.uid,
    BEID: world.store.read().beid,
    FullName: account.fullName,
    PrimaryEmail: isService ? null : `${account.username}@example.com`,
    ReferenceID: world.store.read().accounts.indexOf(account) + 1,
    IsActive: account.isActive,
    TypeID: isService ? 2 : 1,
  });
}

function refuse(status: number, message: string): Answer {
  return answerJson(status, { ID: -1, Message: message });
}
