// Keeps V8 from optimising undici's parser, which would hold up the end of a short run.
import { subscribe, unsubscribe } from "node:diagnostics_channel";

/** How much WebAssembly may run before V8 optimises it: more than any run reads. */
const NEVER = 1_000_000_000;
/** V8's own values in Node 22 and in Node 20; it cannot be asked for its own. */
const USUAL = [13_000_000, 1_800_000];

/**
 * V8 would optimise the parser after two answers, which takes longer than the requests and has no use that shows within
 * 20,000 of them. The flag counts when the first connection makes the parser, and is set only until then, because under
 * other flags V8 takes nothing that was compiled ahead, not even Node's own modules.
 */
export function leaveParserAsItIs(): void {
  let usual: number | undefined;
  const begin = () =>
    void import("node:v8").then((v8) => {
      usual ??= v8.cachedDataVersionTag();
      v8.setFlagsFromString(`--wasm-tiering-budget=${NEVER}`);
    });
  const end = () =>
    void import("node:v8").then((v8) =>
      USUAL.some((budget) => {
        v8.setFlagsFromString(`--wasm-tiering-budget=${budget}`);
        return v8.cachedDataVersionTag() === usual;
      }),
    );
  subscribe("undici:client:beforeConnect", begin);
  subscribe("undici:client:connectError", end);
  subscribe("undici:client:connected", () => {
    unsubscribe("undici:client:beforeConnect", begin);
    end();
  });
}
