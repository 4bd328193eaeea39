// The event store of a queue keeps the contract in every process.
import { openQueueStore } from "../../../src/serve/queue/queue-store.js";
import { testEventStore } from "../events/contract.js";
import { queuePlace } from "./queue-place.js";

testEventStore({
  name: "queue",
  isLasting: true,
  open: async () => {
    const place = await queuePlace();
    await place.open();
    return async () => openQueueStore((await place.open()).database);
  },
});
