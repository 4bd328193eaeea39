// What the compiled validator offers: a value → whether it fits, and the errors of the last value.
import type { Validator } from "../src/document/check/compile.js";
declare const validator: Validator;
export default validator;
