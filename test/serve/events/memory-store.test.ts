// The event store of a run without a folder keeps the contract while it is open.
import { openMemoryStore } from "../../../src/serve/events/event-store.js";
import { testEventStore } from "./contract.js";

testEventStore({
  name: "memory",
  isLasting: false,
  open: async () => {
    const store = openMemoryStore();
    return async () => store;
  },
});
