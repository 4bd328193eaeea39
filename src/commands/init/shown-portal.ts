// Finds out without a sign-in which version and deployment a portal has.
import type { Deployment, Version } from "../../../schemas/names.js";
import { catalog, knownVersion } from "../../catalog/catalog.js";
import { compareVersions } from "../../catalog/version.js";
import { EXIT, Failure } from "../../failure.js";
import { RETRY_POLICY } from "../../http/retry.js";
import type { Io } from "../../io.js";
import type { JsonObject } from "../../lib/json.js";
import { showForeign } from "../../lib/text.js";
import { understand } from "../../portal/answer.js";
import { read, readSelf, type PortalAccess } from "../../portal/portal.js";
import { versionOf, type PortalVersion } from "../../portal/view.js";
import { openNetwork, type NetworkArguments } from "../../cli/open-run.js";

export interface ShownPortal {
  readonly target: Version;
  readonly deployment: Deployment;
  /** What Lintel found, or why it chose the version, for the person who runs the command. */
  readonly notice: string;
  /** The portal has exactly this version. */
  readonly isSure: boolean;
}

const NEWEST = catalog.versions.at(-1) as Version;
const OLDEST = catalog.versions[0] as Version;

/** Short, because a person waits at a prompt. */
const CONNECT_TIMEOUT_MS = 5_000;
const CALL_TIMEOUT_MS = 10_000;

interface Call extends NetworkArguments {
  readonly options: NetworkArguments["options"] & { readonly "from-portal": boolean };
}

/** Fails if no portal answers at the address. The help names the way to write the file without a portal. */
export async function findOut(url: string, io: Io, call: Call): Promise<ShownPortal> {
  // A certificate of the environment identifies the user, and the host has not been confirmed yet.
  const env = call.options["from-portal"]
    ? io.env
    : { ...io.env, LINTEL_CERT: undefined, LINTEL_KEY: undefined };
  const { timeout = Infinity } = call.options;
  const terms = {
    retryPolicy: { ...RETRY_POLICY, attempts: 1 },
    callTimeoutMs: Math.min(1000 * timeout, CALL_TIMEOUT_MS),
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
  };
  try {
    await using network = openNetwork({ ...io, env }, call, "anonymous");
    const http = network.http.with(terms);
    const access: PortalAccess = { http, portal: { url, id: "self" } };
    const root = understand(await read(access, ""));
    const self = await readOwn(access);
    assertPortal(root, self);
    const deployment = self?.["isPortal"] === false ? "hosted-online" : "enterprise";
    return { ...choose({ ...versionOf(self ?? {}, []), ...versionOf(root, []) }), deployment };
  } catch (error) {
    if (!(error instanceof Failure) || error.exit !== EXIT.refused) throw error;
    // A general help would speak of a file that does not exist yet.
    const isOther = error.code === "answer-not-understood";
    const hint = isOther
      ? `Check the address: Lintel read ${url}. Give the address that opens the portal's home page in a browser, such as https://gis.example.com/portal.`
      : (error.help ?? "");
    const help = `${hint}\nTo write the file without contacting the portal, give its version, such as "--target ${NEWEST}".`;
    throw new Failure(error.code, error.message, help.trim(), { cause: error });
  }
}

/** A portal may hide this resource, or do without it. */
async function readOwn(access: PortalAccess): Promise<JsonObject | undefined> {
  try {
    return await readSelf(access);
  } catch (error) {
    if (!(error instanceof Failure) || error.code === "interrupted") throw error;
    return undefined;
  }
}

/** What the root of an ArcGIS Server shows, and that of a portal does not. */
const SERVER_NAMES = ["owningSystemUrl", "authInfo", "fullVersion", "folders", "services"];

/** Other products state a "currentVersion", too. */
function assertPortal(root: JsonObject, self: JsonObject | undefined): void {
  const { isPortal, enterpriseVersion } = { ...root, ...self };
  const isServer = SERVER_NAMES.some((name) => name in root);
  const isHidden = self === undefined && "currentVersion" in root && !isServer;
  if (typeof isPortal === "boolean" || typeof enterpriseVersion === "string" || isHidden) return;
  const { owningSystemUrl } = root;
  const owner =
    typeof owningSystemUrl === "string" ? ` Its portal: ${showForeign(owningSystemUrl, [])}` : "";
  throw new Failure(
    "answer-not-understood",
    isServer
      ? `The answer is that of an ArcGIS Server, not of a portal.${owner}`
      : "The answer is not that of a portal.",
  );
}

export function choose({
  version,
  unlistedRelease,
}: PortalVersion): Pick<ShownPortal, "target" | "notice" | "isSure"> {
  if (version === undefined) {
    const shown =
      unlistedRelease === undefined
        ? "The portal does not show its version."
        : `The portal shows release "${unlistedRelease}", which does not identify one version.`;
    return { target: NEWEST, notice: `${shown} ${instead(NEWEST)}`, isSure: false };
  }
  const known = knownVersion(version);
  if (known === undefined) {
    const notice = `The portal has version ${version}. Lintel knows ${OLDEST} and later. ${instead(OLDEST)}`;
    return { target: OLDEST, notice, isSure: false };
  }
  if (compareVersions(known, version) === 0) {
    return { target: known, notice: `The portal has version ${known}.`, isSure: true };
  }
  const notice = `The portal has version ${version}. Lintel does not know it. Using ${known}, the next lower version it knows.`;
  return { target: known, notice, isSure: false };
}

function instead(version: Version): string {
  return `Using ${version}; change targetVersion if needed.`;
}
