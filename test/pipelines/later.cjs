// A program of Node that starts → the same by a clock that is LATER_MINUTES ahead; loaded before it.
const now = Date.now;
Date.now = () => now() + 60_000 * Number(process.env.LATER_MINUTES);
