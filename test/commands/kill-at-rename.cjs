// Loaded into a run with --require: ends or stops it (LINTEL_TEST_SIGNAL) when a draft is whole and has not taken its file's place yet.
const fs = require("node:fs");

const rename = fs.renameSync;
fs.renameSync = (from, to) => {
  if (String(from).endsWith(".draft")) {
    process.kill(process.pid, process.env.LINTEL_TEST_SIGNAL);
    // Another thread may be told first: nothing more is done until the signal has come.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
  }
  rename(from, to);
};
