// A process → a wait until nothing goes on in it that does not wait for a clock: no request, file, program or import.
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { vi } from "vitest";

/** What a process waits for without a clock; sockets and streams stay open while nothing goes on. */
const BUSY = /^(?:FSReq|Process|GetAddrInfo|TCPConnect|Immediate|Zlib)/;

/** One thing that ends begins the next within so many turns. */
const TURNS = 8;

export function openStillness() {
  const requests = new Set<unknown>();
  const begin = (message: unknown) => void requests.add((message as { request: unknown }).request);
  const end = (message: unknown) => void requests.delete((message as { request: unknown }).request);
  const heard = [
    ["undici:request:create", begin],
    ["undici:request:trailers", end],
    ["undici:request:error", end],
  ] as const;
  for (const [channel, listener] of heard) subscribe(channel, listener);
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
    close: () => {
      for (const [channel, listener] of heard) unsubscribe(channel, listener);
    },
  };
}
