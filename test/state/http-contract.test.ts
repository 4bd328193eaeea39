// States at HTTP servers of the three dialects keep every promise of a store.
import { describe, onTestFinished } from "vitest";
import { httpBackend } from "../../src/state/http/backend.js";
import { contract } from "./contract.js";
import { httpPlace } from "./http-place.js";
import {
  GITLAB_ACCOUNT,
  GITLAB_TIME,
  startStateServer,
  type StateServerOptions,
} from "./state-server.js";

const UNKNOWN = "unknown";

async function placeAt(options: StateServerOptions = {}) {
  const server = await startStateServer(options);
  onTestFinished(() => server.close());
  return httpPlace(server);
}

describe("a plain server", () => {
  // Whoever waits for a lock over HTTP looks ever more rarely: two of the dialects are enough for that.
  contract(httpBackend, () => placeAt(), { kills: false });
});

describe("a plain server that lets the holder in again", () => {
  contract(httpBackend, () => placeAt({ manner: "again" }), { kills: false });
});

describe("Gitea", () => {
  contract(httpBackend, () => placeAt({ dialect: "gitea" }));
});

describe("GitLab", () => {
  contract(httpBackend, async () => ({
    ...(await placeAt({ dialect: "gitlab" })),
    told: ({ id }) => ({
      id,
      who: GITLAB_ACCOUNT,
      since: GITLAB_TIME,
      host: UNKNOWN,
      run: UNKNOWN,
      pid: 0,
    }),
  }));
});
