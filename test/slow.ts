// What takes longer than anybody waits before each commit: kills by the thousand, runs that are stopped for longer than a lease, and other versions of Node → their figures. As a script: slow.ts.
import { stopRuns } from "./run/freeze.js";
import { killRuns } from "./run/kill.js";
import { runOnOtherNodes } from "./run/other-nodes.js";
import { STORIES } from "./run/stories.js";

/** Of those at any moment some come when all is done, so that more than a thousand are tried. */
const KILLS = 1_250;

for (const kind of ["apply", "rollback"]) {
  const stories = STORIES.filter(({ killed }) => killed.startsWith(kind));
  // Half of them at an action, half at any moment.
  tell(`${kind}, killed`, await killRuns({ most: KILLS, stories, atRandom: KILLS / 2 }));
}
tell("on other versions of Node", await runOnOtherNodes());
tell("apply and rollback, stopped for longer than a lease", await stopRuns());

function tell(what: string, figures: object): void {
  process.stdout.write(`${what}: ${JSON.stringify(figures, undefined, 2)}\n`);
}
