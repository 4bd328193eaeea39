// What the portals of a run have to write, as it comes up → as few pushes as can be: what is asked for during one goes up with the next.
import { asFailure } from "../../failure.js";
import type { Io } from "../../io.js";
import type { Branch } from "./branch.js";
import { deliver, type Asked, type Write } from "./delivery.js";
import { openGathering, type Gathering } from "./gathering.js";
import type { Moment } from "./lease.js";
import type { Newest } from "./newest.js";

export interface Writer extends Pick<Gathering, "join" | "leave"> {
  /** Returns once it stands in the branch, with when the push began that brought it there. */
  readonly write: (write: Write) => Promise<Moment>;
  /** Once nothing is under way any more. */
  readonly idle: () => Promise<void>;
}

export function openWriter(branch: Branch, newest: Newest, io: Io): Writer {
  const { join, leave, tell, complete } = openGathering(io);
  let writing: Promise<void> | undefined;
  let queue: Asked[] = [];

  async function drain(): Promise<void> {
    while (queue.length > 0) {
      await complete((name) => queue.some(({ write }) => write.name === name));
      // A file is written once in a commit; what comes later is judged by what then stands there.
      const batch = queue.filter(
        (each, at) => queue.findIndex(({ write }) => write.name === each.write.name) === at,
      );
      queue = queue.filter((each) => !batch.includes(each));
      const delivered = newest.inTurn(() => deliver(batch, { branch, newest, io }));
      await delivered.catch((error: unknown) => {
        for (const { fail } of batch) fail(asFailure(error, false));
      });
    }
    // At once, so that whoever asks from now on begins anew.
    writing = undefined;
  }

  return {
    join,
    leave,
    write: (write) =>
      new Promise((done, fail) => {
        queue.push({ write, done, fail });
        tell();
        writing ??= drain();
      }),
    async idle() {
      await writing;
      await newest.idle();
    },
  };
}
