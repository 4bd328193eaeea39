// How many rows of each block of a table are shown → blocks that take the room for them before anybody comes near.

/** More rows than a screen shows. */
const NEAR = 60;

/**
 * A browser that had few rows of many blocks on its screen would lay out all of these blocks at once, when all of their
 * rows are shown again: those that are then far from the screen are away until it has seen that.
 */
export function showBlocks(table: HTMLTableElement, counts: ReadonlyMap<ParentNode, number>): void {
  const blocks = [...table.tBodies];
  let above = 0;
  for (const block of blocks) {
    const held = counts.get(block) ?? 0;
    const before = Number(block.style.getPropertyValue("--rows") || held);
    block.style.setProperty("--rows", String(held));
    block.hidden = held === 0 || (above >= NEAR && held > before);
    above += held;
  }
  const show = () => {
    for (const block of blocks) block.hidden = block.style.getPropertyValue("--rows") === "0";
  };
  requestAnimationFrame(() => requestAnimationFrame(show));
}
