// Starts a machine within this one from a folder with a whole system, without Node; its disks are gone when it is closed.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { runProgram, type Ran } from "./run.js";

export const PLAIN_PATH = "/usr/sbin:/usr/bin:/sbin:/bin";

export interface Machine {
  /** As this machine sees it. */
  readonly root: string;
  /** What a command line on it begins with. */
  readonly words: readonly string[];
  readonly run: (...words: string[]) => Promise<Ran>;
  readonly close: () => Promise<void>;
}

/** Undefined where one can be made. */
export function whyNoMachine(): string | undefined {
  const lacks = ["apt-get", "dpkg-deb", "unshare", "nsenter"].filter(
    (program) => spawnSync(program, ["--version"]).error !== undefined,
  );
  if (lacks.length > 0) return `No ${lacks.join(", ")} on this machine`;
  if (process.geteuid?.() !== 0) return "Only root may make a machine within this one";
  const tried = spawnSync("unshare", ["--mount", "mount", "-t", "tmpfs", "lintel", "/mnt"]);
  return tried.status === 0 ? undefined : "This machine lets nobody mount";
}

/** What is written goes into memory. */
const SCRIPT = `set -e
mount -t tmpfs lintel "$1"
cd "$1"
mkdir upper work root
mount -t overlay lintel -o lowerdir="$2",upperdir=upper,workdir=work root
mount -t proc proc root/proc
mount --rbind /dev root/dev
mkdir -p "root$3"
mount --bind "$3" "root$3"
for folder in root/usr/bin root/usr/local/bin; do rm -f $folder/node $folder/nodejs $folder/npm; done
echo ready
exec cat`;

/** `below` is a system that stays as it is; `shared` is a folder that both see under one name. */
export async function openMachine({
  below,
  shared,
}: {
  readonly below: string;
  readonly shared: string;
}): Promise<Machine> {
  const own = mkdtempSync(join(shared, "machine-"));
  const root = join(own, "root");
  // It lives as long as this process holds its input open.
  const holder = spawn("unshare", ["--mount", "sh", "-c", SCRIPT, "sh", own, below, shared], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = once(holder, "close");
  const [line] = await Promise.race([
    once(createInterface({ input: holder.stdout }), "line"),
    ended,
  ]);
  if (line !== "ready") throw new Error("The machine cannot be made.");
  const words = ["nsenter", "--mount", "--target", String(holder.pid), "--", "chroot", root];
  const env = { PATH: PLAIN_PATH, DEBIAN_FRONTEND: "noninteractive" };
  return {
    root: join("/proc", String(holder.pid), "root", root),
    words,
    run: (...given) => {
      const [program = "", ...rest] = [...words, ...given];
      return runProgram(program, rest, { env });
    },
    async close() {
      holder.stdin.end();
      await ended;
    },
  };
}
