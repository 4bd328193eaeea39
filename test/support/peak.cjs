// Loaded into a child with --require: tells its peak memory, in MiB, to the file that LINTEL_TEST_PEAK names.
const { writeFileSync } = require("node:fs");

process.on("exit", () => {
  writeFileSync(process.env.LINTEL_TEST_PEAK, String(process.resourceUsage().maxRSS / 1024));
});
