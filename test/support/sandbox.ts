// A sandbox of a test's own, closed when the test ends.
import { onTestFinished } from "vitest";
import type { SandboxOptions } from "../../src/sandbox/options.js";
import { startSandbox, type Sandbox } from "../../src/sandbox/sandbox.js";

export async function openSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const sandbox = await startSandbox(options);
  onTestFinished(() => sandbox.close());
  return sandbox;
}

/** A desired-state file for a sandbox; its secrets come from variables. */
export function fileFor({ portalUrl, signInUrl }: Sandbox, more = ""): string {
  return `targetVersion: "12.1"
portal: { url: "${portalUrl}" }
signIn: { url: "${signInUrl}" }
${more}`;
}

export function keysOf({ beid, webServicesKey }: Sandbox): Record<string, string> {
  return { LINTEL_BEID: beid, LINTEL_WEB_SERVICES_KEY: webServicesKey };
}
