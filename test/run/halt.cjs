// Loaded into a run with --require: notes every action on files and the network, and kills or stops the run at one of them.
const fs = require("node:fs");
const { Socket } = require("node:net");

/** @type {{ notes: string, at: number, when: "before" | "within" | "after" | "never", signal?: string, speed?: number }} */
const { notes, at, when, signal = "SIGKILL", speed = 1 } = JSON.parse(process.env.LINTEL_TEST_HALT);

// A clock that runs faster, for runs that wait for minutes until an earlier update cannot arrive any more.
if (speed !== 1) {
  for (const clock of [Date, performance]) {
    const now = clock.now.bind(clock);
    const startMs = now();
    clock.now = () => startMs + (now() - startMs) * speed;
  }
  for (const name of ["setTimeout", "setInterval"]) {
    const own = globalThis[name];
    globalThis[name] = (action, ms, ...more) => own(action, ms / speed, ...more);
  }
  const timers = require("node:timers/promises");
  const { setTimeout: sleep } = timers;
  timers.setTimeout = (ms, ...more) => sleep(ms / speed, ...more);
  require("node:module").syncBuiltinESMExports();
}
const { openSync, writeSync, closeSync } = fs;
const sheet = openSync(notes, "a");
let actions = 0;

/** An action begins with its name on a line, and a line with a dot says that it succeeded. */
function begin(name, half) {
  const action = ++actions;
  if (action === at && when === "within" && half) half();
  writeSync(sheet, `${name}\n`);
  if (action === at && when !== "after") die();
  return (isDone = true) => {
    if (isDone) writeSync(sheet, `${name}.\n`);
    if (action === at && when === "after") die();
  };
}

function die() {
  process.kill(process.pid, signal);
  // Another thread may be told first: nothing more is done until the signal has come.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
}

/** What is noted of an action on files: for names that end otherwise at once, the name of what it does. */
const FILES = {
  open: "open",
  openSync: "open",
  readdirSync: "readdir",
  linkSync: "link",
  unlinkSync: "rm",
  mkdirSync: "mkdir",
  chmodSync: "chmod",
  fchmodSync: "chmod",
  writeFileSync: "writeFile",
  readFileSync: "readFile",
  fsync: "sync",
};

/** Folders of states, and what lies in them; all else that a run reads and writes is left alone. */
const isOfState = (path) => /[/\\](\.lintel|states)([/\\]|$)/.test(path);
const opened = new Set();

for (const [name, noted] of Object.entries(FILES)) {
  const own = fs[name];
  fs[name] = (...given) => {
    const [of, text] = given;
    if (!(typeof of === "number" ? opened.has(of) : isOfState(String(of)))) return own(...given);
    const half = text?.length && (() => writeSync(of, text.slice(0, text.length / 2)));
    const end = begin(noted, name === "writeFileSync" && typeof of === "number" && half);
    const done = given.at(-1);
    if (typeof done === "function") {
      return own(...given.slice(0, -1), (error, handle) => {
        if (name === "open" && !error) opened.add(handle);
        end(!error);
        done(error, handle);
      });
    }
    try {
      const result = own(...given);
      if (name === "openSync") opened.add(result);
      end();
      return result;
    } catch (error) {
      end(false);
      throw error;
    }
  };
}
fs.closeSync = (handle) => {
  opened.delete(handle);
  closeSync(handle);
};

const { connect, write, read } = Socket.prototype;
const requests = new WeakMap();
Socket.prototype.connect = function (...given) {
  const end = begin("connect");
  // Not done before the other side has answered.
  this.once("connect", () => end());
  return connect.apply(this, given);
};
Socket.prototype.write = function (...given) {
  // Some Nodes end a request that way, others do not.
  if (given[0].length === 0) return write.apply(this, given);
  const [request] = /^[A-Z]+ [^? ]+/.exec(String(given[0])) ?? [];
  if (request) requests.set(this, request);
  const end = begin(request ? `send ${request}` : `send the body of ${requests.get(this)}`);
  const result = write.apply(this, given);
  end();
  return result;
};
Socket.prototype.read = function (...given) {
  if (this.readableLength === 0) return read.apply(this, given);
  const end = begin("receive");
  const result = read.apply(this, given);
  end();
  return result;
};
