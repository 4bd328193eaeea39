// Turns the result of each doctor step into a finding with a fix.
import { lookup } from "node:dns/promises";
import { compareVersions } from "../../catalog/version.js";
import type { Checked } from "../../document/check/check.js";
import { problemsIn } from "../../diagnostic.js";
import { Failure } from "../../failure.js";
import { withoutBrackets } from "../../hosts.js";
import type { Io } from "../../io.js";
import { hostOf, type Request } from "../../request.js";
import type { JsonObject } from "../../lib/json.js";
import type { PortalVersion, UserRole } from "../../portal/view.js";
import { shellWord } from "../../lib/text.js";
import type { Finding } from "./steps.js";
import { SIGN_IN_METHODS, type SignIn, type SignInField } from "../../sign-in.js";

export function fileFinding(
  { file, diagnostics }: Pick<Checked, "file" | "diagnostics">,
  isBroken: boolean,
): Finding {
  if (isBroken) {
    throw new Failure("file-invalid", `"${file}" has errors; they follow below.`);
  }
  if (diagnostics.length === 0) return `"${file}" has no problems.`;
  return {
    warning: `"${file}" has ${problemsIn(diagnostics)}.`,
    help: `To see them:\n  lintel validate ${shellWord(file)}`,
  };
}

export function credentialsFinding({ method, fields, variables = {} }: SignIn, io: Io): Finding {
  const absent = Object.entries<SignInField>(SIGN_IN_METHODS[method]).filter(
    ([name, field]) => field.variable && fields[name] === undefined,
  );
  const needed = absent.map(([name]) => variables[name] ?? name);
  if (needed.length === 0) return `All credentials for "${method}" are set.`;
  const missing = `Not set: ${needed.join(", ")}`;
  const exports = needed.map((name) => `\n  export ${name}=…`).join("");
  const them = needed.length > 1 ? "them" : "it";
  // A terminal is asked for secrets alone.
  if (io.stdin.isTerminal && absent.every(([, { isSecret }]) => isSecret)) {
    const warning = `${missing}. Lintel asks for ${them} when it signs in.`;
    return { warning, help: `For a pipeline, set ${them}:${exports}` };
  }
  throw new Failure("credential-missing", `${missing}.`, `Set ${them}:${exports}`);
}

/** An address, and how the file writes it if it holds references. */
export type Address = Pick<Request, "url" | "written">;

export async function lookUpNames(addresses: readonly Address[], io: Io) {
  // Imported late: the help of the command needs no network.
  const { isProxied, readProxies } = await import("../../http/dispatcher.js");
  const proxies = readProxies(io);
  const found: string[] = [];
  for (const address of addresses) {
    const url = new URL(address.url);
    const shown = address.written === undefined ? url.hostname : hostOf(address);
    // A proxy resolves names itself.
    const where = (await isProxied(url, proxies))
      ? "an address that the proxy looks up"
      : (await findAddresses(url.hostname, shown)).join(", ");
    found.push(`${shown} resolves to ${where}`);
  }
  return [undefined, `${[...new Set(found)].join("; ")}.`] as const;
}

async function findAddresses(hostname: string, shown: string): Promise<readonly string[]> {
  try {
    const found = await lookup(withoutBrackets(hostname), { all: true });
    return [...new Set(found.map(({ address }) => address))];
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? String(error);
    throw new Failure(
      "not-reachable",
      `Cannot resolve the name "${shown}" (${code}).`,
      "Check the spelling, and the DNS settings of this machine.",
      { cause: error },
    );
  }
}

export function connectionFinding(addresses: readonly Address[]): Finding {
  const open = addresses.filter(({ url }) => url.startsWith("http:")).map(hostOf);
  if (open.length === 0) return "The portal answers, and its certificate is trusted.";
  return {
    warning: `The portal answers. The connection to ${[...new Set(open)].join(" and ")} is not encrypted.`,
    help: "Use https:// if the host offers it: the connection carries tokens and keys.",
  };
}

export function versionFinding(
  { version, unlistedRelease: release }: PortalVersion,
  target: string,
): Finding {
  if (version === undefined) {
    const warning =
      release === undefined
        ? `The portal does not show its version, so plans cannot compare it with the target ${target}.`
        : `The portal shows the release "${release}", which the reference does not list.`;
    return { warning, help: `Check that it is ${target}, as targetVersion says.` };
  }
  const order = compareVersions(version, target);
  if (order === 0) return `The portal has version ${version}, as targetVersion says.`;
  const [how, advice] =
    order > 0
      ? [`newer than the target ${target}.`, "To use it, run `lintel upgrade`, or write"]
      : [
          `older than the target ${target}: it may not know every setting.`,
          "Write the portal's version",
        ];
  const warning = `The portal has version ${version}, ${how}`;
  return { warning, help: `${advice}:\n  targetVersion: "${version}"` };
}

export function readingFinding(settings: JsonObject | undefined): Finding {
  if (settings) return "The settings can be read with this sign-in.";
  return {
    warning: "Skipped, because the file says that the settings cannot be read.",
    help: "If they can, remove the line:\n  read: never",
  };
}

/** The guard checks this only if the portal can be read. */
export function privilegeFinding({ account, role, unproven }: UserRole, mayRead: boolean): Finding {
  if (unproven === undefined) {
    const who = account === undefined ? "The account" : `The account "${account}"`;
    return `${who} may update settings${role === undefined ? "" : `, as ${role}`}.`;
  }
  const guard = mayRead
    ? " Until the portal shows that, the guard `unread-portal` blocks apply."
    : "";
  return {
    warning: unproven,
    help: `Updating settings needs the default administrator, or the privilege for security and infrastructure.${guard}`,
  };
}
