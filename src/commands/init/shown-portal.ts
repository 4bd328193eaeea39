// Finds out without a sign-in which version and deployment a portal has.
import type { Deployment, Version } from "../../../schemas/names.js";
import { catalog, knownVersion } from "../../catalog/catalog.js";
import { compareVersions } from "../../catalog/version.js";
import { Failure } from "../../failure.js";
import { RETRY_POLICY } from "../../http/retry.js";
import type { Io } from "../../io.js";
import { readSelf, type PortalAccess } from "../../portal/portal.js";
import { readVersion, versionOf, type PortalVersion } from "../../portal/view.js";
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

/** Never fails because of the portal: the file can be written without it. */
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
    const version = await readVersion(access);
    const { isHosted, ...own } = await readOwn(access);
    const deployment = isHosted ? "hosted-online" : "enterprise";
    return { ...choose({ ...own, ...version }), deployment };
  } catch (error) {
    if (!(error instanceof Failure) || error.code === "interrupted") throw error;
    return {
      target: NEWEST,
      deployment: "enterprise",
      notice: `Could not read the version from ${url}: ${error.message} ${instead(NEWEST)}`,
      isSure: false,
    };
  }
}

/** A portal may hide this resource, or do without it. */
async function readOwn(access: PortalAccess): Promise<PortalVersion & { isHosted?: boolean }> {
  try {
    const self = await readSelf(access);
    return { ...versionOf(self, []), isHosted: self["isPortal"] === false };
  } catch (error) {
    if (!(error instanceof Failure) || error.code === "interrupted") throw error;
    return {};
  }
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
