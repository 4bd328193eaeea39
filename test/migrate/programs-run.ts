// Prints the figures of the migrator's claims about random programs. As a script: programs-run.ts 2000 [SEED [SHOWN]].
import { runPrograms } from "./figures.js";

const [programs = "2000", seed, shown = "5"] = process.argv.slice(2);
const figures = await runPrograms({
  programs: Number(programs),
  seed: seed === undefined ? undefined : Number(seed),
  shown: Number(shown),
  tell: (text) => process.stdout.write(`${text}\n`),
});
process.stdout.write(`${JSON.stringify(figures, undefined, 2)}\n`);
