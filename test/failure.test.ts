// What an error of any kind comes to.
import { expect, test } from "vitest";
import { asFailure, Failure } from "../src/failure.js";

test("the reason of the work stands before a failure to close what it used", async () => {
  const why = new Failure("not-reachable", "The portal does not answer.");
  const error: unknown = await closing(why).catch((thrown: unknown) => thrown);
  expect(asFailure(error, false)).toBe(why);
});

async function closing(why: Failure): Promise<void> {
  await using opened = {
    isOpen: true,
    [Symbol.asyncDispose]: () => Promise.reject(new Error("cannot close")),
  };
  if (opened.isOpen) throw why;
}
