// What an answer of a platform has to hold, and what counts as another form.
import { expect, test } from "vitest";
import { hasShape, optional, TIME, type Shape } from "../../src/pipelines/shape.js";

const RUN = { id: 0, created_at: TIME, user: optional({ login: "" }) };

test.each<[boolean, unknown, Shape]>([
  [true, "a", ""],
  [false, 1, ""],
  [true, 1, 0],
  [false, "1", 0],
  [false, null, false],
  [true, { id: 1, created_at: "2026-11-28T12:00:00Z", more: 1 }, RUN],
  [true, { id: 1, created_at: "2026-11-28T12:00:00Z", user: null }, RUN],
  [false, { id: 1, created_at: "2026-11-28T12:00:00Z", user: {} }, RUN],
  [false, { id: 1, created_at: "yesterday" }, RUN],
  [false, { created_at: "2026-11-28T12:00:00Z" }, RUN],
  [true, [], [RUN]],
  [true, [{ name: "a" }, { name: "b" }], [{ name: "" }]],
  [false, [{ name: "a" }, null], [{ name: "" }]],
  [false, { 0: { name: "a" } }, [{ name: "" }]],
  [true, {}, {}],
  [false, null, {}],
  [false, undefined, {}],
])("%s: %j", (isRight, value, shape) => {
  expect(hasShape(value, shape)).toBe(isRight);
});
