// A server of Terraform states → paths at which runs are killed: a lock there outlives its holder, and a person ends it.
import { startStateServer } from "../state/state-server.js";
import type { Keeping } from "./kept.js";

export async function httpKeeping() {
  const server = await startStateServer({ dialect: "gitlab" });
  let states = 0;
  const keeping: Keeping = {
    name: "http:",
    byHand: [["state unlock --yes", 0]],
    fresh: async () => ({ address: server.url + server.pathOf(`kept-${++states}`) }),
  };
  return { keeping, close: () => server.close() };
}
