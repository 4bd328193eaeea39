// A place for the contract: one portal's state at a server of states.
import { PORTAL } from "./samples.js";
import type { startStateServer } from "./state-server.js";
import type { StatePlace } from "./store-contract.js";

export type StateServer = Awaited<ReturnType<typeof startStateServer>>;

export function httpPlace(
  server: StateServer,
  name = PORTAL.key,
): StatePlace & { server: StateServer; path: string; stored(): string | undefined } {
  const path = server.pathOf(name);
  const address = server.url + path;
  return {
    server,
    path,
    address,
    plant: (text) =>
      server.plant(path, typeof text === "string" ? enveloped(text) : Buffer.from(text)),
    stored: () => server.stored(path)?.toString(),
  };
}

/** Around any text, as far as it lets itself be understood. */
export function enveloped(value: string): string {
  const [, serial = "1"] = /"serial": (\d+)/.exec(value) ?? [];
  const [, lineage = "none"] = /"lineage": "([^"]+)"/.exec(value) ?? [];
  return JSON.stringify({
    version: 4,
    terraform_version: "1.9.0",
    serial: Number(serial),
    lineage,
    outputs: { portal_settings: { value, type: "string", sensitive: true } },
    resources: [],
    check_results: null,
  });
}
