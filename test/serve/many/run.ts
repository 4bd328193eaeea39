// The names of what is to be measured → its figures. As a script, because each takes minutes: npx tsx test/serve/many/run.ts throughput
import { FIGURES } from "./figures.js";

for (const name of process.argv.slice(2)) {
  const measure = FIGURES[name as keyof typeof FIGURES];
  if (!measure) throw new Error(`"${name}" is none of ${Object.keys(FIGURES).join(", ")}`);
  console.log(`${name}: ${JSON.stringify(await measure(), undefined, 2)}`);
}
