// Once a minute, in whichever process gets the job: makes jobs for what is due, and deletes what is over.
import type { QueueDatabase } from "./database.js";
import type { Jobs } from "./jobs.js";
import { insertDueJobs, setDead } from "./portals.js";

export async function tick(database: QueueDatabase, jobs: Jobs): Promise<void> {
  const { query } = database;
  await setDead(query, await jobs.takeDead());
  await insertDueJobs(database, jobs);
  await query(
    `DELETE FROM SCHEMA.event
     WHERE recorded < now() - (SELECT keep_ms FROM SCHEMA.queue) * interval '1 millisecond'`,
  );
  await query("DELETE FROM SCHEMA.pace WHERE used < now() - interval '1 day'");
  await query("DELETE FROM SCHEMA.process WHERE seen < now() - interval '1 day'");
}
