// A page of a test's own over portals that it makes up and changes, gone when the test ends.
import { onTestFinished } from "vitest";
import { startBoard, type Opened } from "./board.js";

export * from "./board.js";

export async function openBoard(...given: Parameters<typeof startBoard>): Promise<Opened> {
  const board = await startBoard(...given);
  onTestFinished(board.close);
  return board;
}
