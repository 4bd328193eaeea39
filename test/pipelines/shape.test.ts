// What an answer of a platform has to hold, and what counts as another form.
import { expect, test } from "vitest";
import { hasShape, optional, type Shape } from "../../src/pipelines/shape.js";

const RUN = { id: 0, name: "", user: optional({ login: "" }) };

test.each<[boolean, unknown, Shape]>([
  [true, "a", ""],
  [false, 1, ""],
  [true, 1, 0],
  [false, "1", 0],
  [false, null, false],
  [true, { id: 1, name: "a", more: 1 }, RUN],
  [true, { id: 1, name: "a", user: null }, RUN],
  [false, { id: 1, name: "a", user: {} }, RUN],
  [false, { id: 1, name: 2 }, RUN],
  [false, { name: "a" }, RUN],
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
