// Loaded into a run with --require: notes every action on files and the network, and kills or stops the run at one of them.
const { openSync, writeSync } = require("node:fs");
const files = require("node:fs/promises");
const { Socket } = require("node:net");

/** @type {{ notes: string, at: number, when: "before" | "within" | "after" | "never", signal?: string, speed?: number }} */
const { notes, at, when, signal = "SIGKILL", speed = 1 } = JSON.parse(process.env.LINTEL_TEST_HALT);

// A clock that runs faster, for runs that wait for minutes until an earlier update cannot arrive any more.
if (speed !== 1) {
  const [startMs, dateNow, now] = [Date.now(), Date.now, performance.now.bind(performance)];
  Date.now = () => startMs + (dateNow() - startMs) * speed;
  performance.now = () => now() * speed;
  for (const name of ["setTimeout", "setInterval"]) {
    const own = globalThis[name];
    globalThis[name] = (action, ms, ...more) => own(action, ms / speed, ...more);
  }
}
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

function wrapAll(owner, names) {
  for (const name of names) {
    const own = owner[name];
    owner[name] = async function (...given) {
      const half = halfOf(name, given);
      const end = begin(name, half && (() => half(this)));
      let result;
      try {
        result = await own.apply(this, given);
      } catch (error) {
        end(false);
        throw error;
      }
      if (name === "open") wrapHandle(result);
      end();
      return result;
    };
  }
}

/** Writes the first half of a text, as a process does that is killed between two blocks. */
function halfOf(name, [text]) {
  if (!/^(write|append)File$/.test(name) || typeof text !== "string") return undefined;
  return ({ fd }) => writeSync(fd, text.slice(0, text.length / 2));
}

const wrapped = new Set();
function wrapHandle(handle) {
  const methods = Object.getPrototypeOf(handle);
  if (wrapped.has(methods)) return;
  wrapped.add(methods);
  wrapAll(methods, ["chmod", "writeFile", "appendFile", "sync", "readFile", "stat"]);
}

wrapAll(files, ["link", "open", "readdir", "rm", "rename", "mkdir", "chmod", "stat", "readFile"]);

const { connect, write, read } = Socket.prototype;
const requests = new WeakMap();
Socket.prototype.connect = function (...given) {
  const end = begin("connect");
  // Not done before the other side has answered.
  this.once("connect", () => end());
  return connect.apply(this, given);
};
Socket.prototype.write = function (...given) {
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
