// A server of Terraform states → paths at which runs are killed: a lock that one leaves there is ended by the next.
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
