// A real `serve` that is interrupted, or killed at any moment and restarted: the portal is in sync, with each change once in the history.
import { expect, onTestFinished, test } from "vitest";
import { folderOf } from "../support/run.js";
import { openSandbox } from "../support/sandbox.js";
import {
  begin,
  ended,
  killAgainAndAgain,
  remembered,
  shown,
  tellRest,
  told,
  want,
  type Place,
} from "./killing.js";
import { faultsIn, openPosts, numbersIn } from "./posts.js";

async function openPlace(latencyMs = 0): Promise<Place> {
  const folder = folderOf();
  onTestFinished(() => folder.remove());
  return { folder: folder.path, sandbox: await openSandbox({ latencyMs }) };
}

test("SIGTERM during an update: finishes and records it, and exits 0", async () => {
  const place = await openPlace(300);
  want(place, "one");
  const child = begin(place);
  onTestFinished(() => void child.kill("SIGKILL"));
  while (!place.sandbox.requests.some(({ path }) => path.endsWith("/settings/update"))) {
    await new Promise((turn) => setImmediate(turn));
  }
  child.kill("SIGTERM");
  expect(await ended(child)).toBe(0);
  expect(shown(place)).toBe("one");
  expect(remembered(place)).toMatchObject({ texts: ["one"], isOpen: false });
});

test("SIGTERM while idle ends it at once", async () => {
  const place = await openPlace();
  want(place, "one");
  const child = begin(place);
  onTestFinished(() => void child.kill("SIGKILL"));
  await told(child, "applied");
  child.kill("SIGTERM");
  expect(await ended(child)).toBe(0);
});

test("killed twelve times, each after one request more: no apply is lost or recorded twice, and each is sent to the webhook", async () => {
  const posts = await openPosts();
  onTestFinished(() => posts.close());
  const place = { ...(await openPlace()), posts };
  const { texts, ends, shows } = await killAgainAndAgain(place, 12);
  expect(ends).toEqual(texts.map(() => ["SIGKILL", 0]));
  expect(shows).toEqual(texts);
  expect(remembered(place)).toMatchObject({ texts, isOpen: false });
  await tellRest(place);
  expect(faultsIn(posts, place.folder)).toEqual([]);
  // Each apply is told, though whoever carried it out was killed before it could say so.
  const { numbers } = remembered(place);
  expect([...new Set(numbersIn(posts.posts))].toSorted((one, other) => one - other)).toEqual(
    numbers,
  );
});
