// The failure that a promise ends with; a test fails where it ends with anything else.
import { expect } from "vitest";
import { Failure } from "../../src/failure.js";

export async function failureOf(promise: Promise<unknown>): Promise<Failure> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(Failure);
  return error as Failure;
}
