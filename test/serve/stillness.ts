// Waits until a process does nothing but wait for a clock: no request, file, program or import.
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { ClientRequest } from "node:http";
import { vi } from "vitest";

const BEGUN = "http.client.request.start";

/** What a process waits for without a clock; sockets and streams stay open while nothing goes on. */
const BUSY = /^(?:FSReq|Process|GetAddrInfo|TCPConnect|Immediate|Zlib)/;

/** One thing that ends begins the next within so many turns. */
const TURNS = 8;

export function openStillness() {
  const requests = new Set<unknown>();
  const begin = (message: unknown) => {
    const { request } = message as { request: ClientRequest };
    requests.add(request);
    request.once("close", () => requests.delete(request));
  };
  subscribe(BEGUN, begin);
  const isBusy = () => process.getActiveResourcesInfo().some((each) => BUSY.test(each));
  return {
    /** But for so many requests that nobody answers. */
    async reached(unanswered: number): Promise<void> {
      for (let turns = 0; turns < TURNS; turns++) {
        await new Promise((turn) => setImmediate(turn));
        if (requests.size > unanswered || isBusy()) turns = -1;
        // The first use of a module has it loaded by another process.
        else if (turns === 0) await vi.dynamicImportSettled();
      }
    },
    close: () => void unsubscribe(BEGUN, begin),
  };
}
