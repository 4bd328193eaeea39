// The ledger of a queue keeps the promises of every ledger, for whichever process asks.
import { openQueueLedger } from "../../../src/serve/queue/ledger.js";
import { testLedger } from "../ledger/contract.js";
import { queuePlace } from "./queue-place.js";

testLedger({
  name: "queue",
  isLasting: true,
  open: async () => {
    const place = await queuePlace();
    await place.open();
    return async () => openQueueLedger((await place.open("nothing")).link);
  },
});
