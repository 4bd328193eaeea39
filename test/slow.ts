// Runs the long checks and prints their figures: kills by the thousand, runs suspended for longer than a lease, a bare Debian, pages of thousands of portals, hostile old files, and random ones. As a script: slow.ts.
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { installOnBareDebian } from "./bare.js";
import { runPrograms } from "./migrate/figures.js";
import { readHostile } from "./migrate/hostile.js";
import { stopRuns } from "./run/freeze.js";
import { openKeepings } from "./run/keepings.js";
import { killRuns } from "./run/kill.js";
import { killMoves } from "./run/moves.js";
import { STORIES } from "./run/stories.js";
import { killServing } from "./serve/killing.js";
import { measurePages } from "./serve/dashboard/many.js";

/** Of those at any moment some come when all is done, so that more than a thousand are tried. */
const KILLS = 1_250;
/** At each place that is no folder: a hundred come to something. */
const KILLS_ELSEWHERE = 160;
const STOPS_ELSEWHERE = 40;
/** Forty from each of five places to each other. */
const MOVES = 800;
const KILLS_SERVING = 200;
/** What is wrong in one old file of a thousand shows. */
const PROGRAMS = 20_000;

for (const kind of ["apply", "rollback"]) {
  const stories = STORIES.filter(({ killed }) => killed.startsWith(kind));
  // Half of them at an action, half at any moment.
  tell(`${kind}, killed`, await killRuns({ most: KILLS, stories, atRandom: KILLS / 2 }));
}
const folder = mkdtempSync(join(tmpdir(), "lintel-kept-"));
chmodSync(folder, 0o755);
const keepings = await openKeepings(folder);
for (const keeping of keepings.all) {
  const figures = await killRuns({ most: KILLS_ELSEWHERE, atRandom: KILLS_ELSEWHERE / 2, keeping });
  tell(`killed, with the states at ${keeping.name}`, figures);
  tell(`stopped, with the states at ${keeping.name}`, await stopRuns(keeping, STOPS_ELSEWHERE));
}
tell("moved from place to place, killed", await killMoves(MOVES, keepings.all));
tell("a run without an end, killed and begun anew", await killServing(KILLS_SERVING));
await keepings.close();
rmSync(folder, { recursive: true, force: true });
tell("the package on a Debian with nothing else", await installOnBareDebian());
tell("apply and rollback, stopped for longer than a lease", await stopRuns());
tell("the dashboard", await measurePages([60, 2_000, 10_000]));
tell("hostile old files", await readHostile());
const say = (text: string) => process.stdout.write(`${text}\n`);
tell("old files at random", await runPrograms({ programs: PROGRAMS, tell: say }));

function tell(what: string, figures: object): void {
  process.stdout.write(`${what}: ${JSON.stringify(figures, undefined, 2)}\n`);
}
