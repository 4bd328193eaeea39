// Options → a running sandbox: both interfaces and the home page on one server, with what a test needs to look inside.
import { randomUUID } from "node:crypto";
import type { JsonObject } from "../lib/json.js";
import { answerBrowser } from "./sign-in/browser.js";
import { answerText, type Reply, type Incoming } from "./server/reply.js";
import { createFaults, type Fault, type Received } from "./server/fault.js";
import { createCallCounter } from "./sign-in/call-counter.js";
import { readSwitches, type SandboxOptions, type TokenShape } from "./options.js";
import { createCache } from "./portal/cache.js";
import { answerPortal } from "./portal/portal.js";
import { findPortal, portalIds, portalBase, type SandboxContext } from "./context.js";
import { BROWSER_SIGN_IN, SIGN_IN_BASE } from "./context.js";
import { answerSecurity } from "./portal/security.js";
import { answerSignIn } from "./sign-in/sign-in.js";
import { openMemory, SERVICE_ACCOUNT, type Account, type Remembered } from "./memory.js";
import { createTokens } from "./sign-in/token.js";
import { answerHome } from "./portal/home.js";
import { serve } from "./server/server.js";

// A sandbox may run for days; what its log holds must not grow for ever.
const LOGGED = 1000;
const LOGGED_LENGTH = 32 * 1024 * 1024;

export interface Sandbox extends Pick<
  Remembered,
  "beid" | "webServicesKey" | "clientId" | "clientSecret"
> {
  readonly url: string;
  /** The root of the portal's interface. */
  readonly portalUrl: string;
  /** The base address of the sign-in service. */
  readonly signInUrl: string;
  /** Where a person signs in with a browser. */
  readonly browserUrl: string;
  readonly username: string;
  readonly password: string;
  /** The ids of its portals, "self" first. */
  readonly portals: readonly string[];
  /** The last thousand requests, the oldest first. */
  readonly requests: readonly Received[];
  /** What the next requests meet, in order; each is used once, unless it lasts. */
  readonly faults: Fault[];
  /** Everything that is stored for a portal, as an administrator sees it without the stock settings. */
  settings(portal?: string): JsonObject;
  /** Replaces everything that is stored for a portal, as if someone had changed it elsewhere. */
  change(portal: string, settings: JsonObject): void;
  /** `who` is a username, or the BEID for the service account. */
  setActive(who: string, isActive: boolean): void;
  addAccount(account: Pick<Account, "username" | "role"> & { readonly password: string }): void;
  /** Every token and browser session made so far is invalid from now on. */
  revokeTokens(): void;
  answerTokensAs(shape: TokenShape): void;
  close(): Promise<void>;
}

export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const switches = readSwitches(options);
  const memory = openMemory(options);
  const { requests, note } = openLog();
  const faults: Fault[] = [];
  const context: SandboxContext = {
    switches,
    memory,
    cache: createCache(switches, memory),
    tokens: createTokens(memory, switches.now),
    calls: createCallCounter(switches.now),
    tokenShape: switches.tokenShape,
  };
  const pickFault = createFaults(switches, faults);
  const { url, close } = await serve({
    switches,
    answer: (incoming) => answer(context, incoming),
    // The pages for people stay whole, so that somebody can see what an unlucky portal holds.
    pickFault: (received) =>
      [SIGN_IN_BASE, portalBase(switches)].some((each) => received.path.startsWith(each))
        ? pickFault(received)
        : undefined,
    note,
  });
  const { beid, webServicesKey, administrator, clientId, clientSecret, accounts } = memory.read();
  const person = accounts.find((each) => each.username === administrator);
  return {
    url,
    portalUrl: `${url}${portalBase(switches)}`,
    signInUrl: `${url}${SIGN_IN_BASE}`,
    browserUrl: `${url}${BROWSER_SIGN_IN}`,
    beid,
    webServicesKey,
    username: administrator,
    password: person?.password ?? "",
    clientId,
    clientSecret,
    portals: portalIds(context),
    requests,
    faults,
    ...insideOf(context),
    close,
  };
}

function openLog() {
  const requests: Received[] = [];
  let length = 0;
  const note = (received: Received) => {
    requests.push(received);
    length += received.body.length;
    while (requests.length > LOGGED || (length > LOGGED_LENGTH && requests.length > 1)) {
      length -= requests.shift()?.body.length ?? 0;
    }
  };
  return { requests, note };
}

/** What a test may look at and change from inside. */
function insideOf(context: SandboxContext) {
  const { memory } = context;
  const portalNamed = (id: string): string => {
    const portal = findPortal(context, id);
    if (portal === undefined) throw new TypeError(`the sandbox holds no portal "${id}"`);
    return portal;
  };
  return {
    settings: (portal = "self") => memory.read().portals[portalNamed(portal)] ?? {},
    change(portal, settings) {
      memory.change({ portals: { ...memory.read().portals, [portalNamed(portal)]: settings } });
    },
    setActive(who, isActive) {
      const { accounts, beid } = memory.read();
      const name = who === beid ? SERVICE_ACCOUNT : who;
      if (!accounts.some((each) => each.username === name)) {
        throw new TypeError(`the sandbox has no account "${who}"`);
      }
      memory.change({
        accounts: accounts.map((each) => (each.username === name ? { ...each, isActive } : each)),
      });
    },
    addAccount(account) {
      const added = { ...account, uid: randomUUID(), fullName: account.username, isActive: true };
      memory.change({ accounts: [...memory.read().accounts, added] });
    },
    answerTokensAs: (shape) => (context.tokenShape = shape),
    revokeTokens: () => memory.change({ generation: memory.read().generation + 1 }),
  } satisfies Partial<Sandbox>;
}

function answer(context: SandboxContext, incoming: Incoming): Reply {
  return (
    answerSignIn(context, incoming) ??
    answerPortal(context, incoming) ??
    answerBrowser(context, incoming) ??
    answerSecurity(context, incoming) ??
    answerHome(context, incoming) ??
    answerText(404, "There is nothing at this address.")
  );
}
