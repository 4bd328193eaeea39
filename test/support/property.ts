// fast-check, drawing the same cases in every run, so that a change is judged by itself; SEED=random draws others.
import fc from "fast-check";

const { SEED: wanted = "20260901" } = process.env;
if (wanted !== "random") fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(wanted) });

export { fc };
