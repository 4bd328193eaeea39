// The ledger of a run without a folder keeps the promises of every ledger, as long as it is open.
import { openMemory } from "../../../src/serve/ledger/memory.js";
import { testLedger } from "./contract.js";

testLedger({
  name: "memory",
  isLasting: false,
  open: async () => {
    const ledger = openMemory();
    return async () => ledger;
  },
});
