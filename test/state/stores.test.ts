// The contract at databases, buckets and HTTP servers. Folders and branches have it in their own tests.
import { describe, onTestFinished } from "vitest";
import { HAS_PGBOUNCER, NEEDS_PGBOUNCER, openPgBouncer } from "../support/pgbouncer.js";
import { httpPlace } from "./http-place.js";
import { databasePlace } from "./postgres-place.js";
import { s3Place } from "./s3-place.js";
import { startS3Server } from "./s3-server.js";
import { startStateServer, type StateServerOptions } from "./state-server.js";
import { storeContract } from "./store-contract.js";

describe("postgres:", () => {
  storeContract(() => databasePlace());
});

describe.runIf(HAS_PGBOUNCER)(
  `postgres: through PgBouncer in transaction mode${NEEDS_PGBOUNCER}`,
  () => {
    storeContract(async () => {
      const place = await databasePlace();
      const port = await openPgBouncer(place.server.port, "lintel");
      return { ...place, address: place.address.replace(`:${place.server.port}/`, `:${port}/`) };
    });
  },
);

describe("s3:", () => {
  storeContract(async () => {
    const server = await startS3Server();
    onTestFinished(() => server.close());
    return s3Place(server);
  });
});

const SERVERS: Readonly<Record<string, StateServerOptions>> = {
  "of Terraform's protocol": {},
  "that compares no ids of locks": { manner: "careless" },
  "of GitLab": { dialect: "gitlab" },
  "of Gitea": { dialect: "gitea" },
  "without locks": { manner: "lockless" },
};

describe.each(Object.entries(SERVERS))("http: at a server %s", (_, options) => {
  const refusesOvertaken = options.manner !== "lockless";
  storeContract(
    async () => {
      const server = await startStateServer(options);
      onTestFinished(() => server.close());
      return httpPlace(server);
    },
    {
      refusesOvertaken,
      // GitLab does not tell which process holds a lock. Where no id is compared, two runs that end the lock of a killed
      // one at the same moment can both write, as docs/security.md says.
      kills: options.dialect !== "gitlab" && options.manner !== "careless",
      addressFor: ({ address }, { key }) => address.replace(/[^/]+$/, key),
    },
  );
});
