// Gives each lane of kills a path at a server of Terraform states, where the next run ends a lock that one leaves.
import { startStateServer } from "../state/state-server.js";
import type { Keeping } from "./kept.js";

export async function httpKeeping() {
  const server = await startStateServer();
  let states = 0;
  const keeping: Keeping = {
    name: "http:",
    byHand: [],
    fresh: async () => ({ address: server.url + server.pathOf(`kept-${++states}`) }),
  };
  return { keeping, close: () => server.close() };
}
