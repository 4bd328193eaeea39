// Work under a lock: what was done is done although the lock cannot be let go of, and what stopped the work is told before that.
import { expect, test } from "vitest";
import { withLock } from "../../src/state/lock/with-lock.js";
import { filePlace, machine } from "./places.js";
import { holderFor } from "./samples.js";

test("a lock that cannot be let go of is told, and the work counts as done", async () => {
  const [store, said]: [ReturnType<ReturnType<typeof filePlace>["open"]>, string[]] = [
    filePlace().open(),
    [],
  ];
  const holder = holderFor(machine);
  const notice = (sentence: string) => void said.push(sentence);
  const locking = { store, holder, lockTimeoutMs: 0, notice };
  const done = withLock(locking, async () => {
    await store.unlock(holder);
    return "done";
  });
  expect(await done).toBe("done");
  expect(said).toHaveLength(1);
  expect(said[0]).toMatch(/^All is done, but the lock could not be let go of: .*\n {2}lintel /s);
  const stopped = withLock(locking, async () => {
    await store.unlock(holder);
    throw new Error("something else");
  });
  await expect(stopped).rejects.toThrow("something else");
});
