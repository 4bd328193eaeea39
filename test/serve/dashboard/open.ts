// A page of a test's own over portals that it makes up and changes, gone when the test ends.
import { onTestFinished } from "vitest";
import { startBoard, type Opened } from "./board.js";

export * from "./board.js";

export async function openBoard(
  ...given: Parameters<typeof startBoard>
): Promise<Opened & { readonly close: () => Promise<void> }> {
  const board = await startBoard(...given);
  let isClosed = false;
  const close = async () => {
    if (!isClosed) await board.close();
    isClosed = true;
  };
  onTestFinished(close);
  return { ...board, close };
}
