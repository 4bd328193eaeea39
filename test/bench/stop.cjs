// Loaded into a child with --require: ends it where the phase begins that LINTEL_TEST_STOP names, so that a bench knows what those before it cost.
const fs = require("node:fs");
const { subscribe } = require("node:diagnostics_channel");

const { LINTEL_TEST_STOP: phase } = process.env;

const endBefore = (name) => {
  if (phase === name) process.exit(0);
};

const { linkSync, openSync, readFileSync, writeSync } = fs;

fs.readFileSync = (path, ...more) => {
  if (/chunks[/\\]process-\w+\.cjs$/.test(path)) endBefore("the front door");
  if (/chunks[/\\](?:validate|plan|apply)-\w+\.cjs$/.test(path))
    endBefore("the command's own chunks");
  return readFileSync(path, ...more);
};

fs.openSync = (path, ...more) => {
  if (String(path).endsWith(".yaml")) endBefore("the settings file");
  return openSync(path, ...more);
};

fs.linkSync = (...given) => {
  endBefore("the lock");
  return linkSync(...given);
};

// Standard output; standard error is 2.
fs.writeSync = (descriptor, ...more) => {
  if (descriptor === 1) endBefore("the report");
  return writeSync(descriptor, ...more);
};

subscribe("net.client.socket", () => endBefore("the network"));
