// Writes a value as YAML: plain where that is safe, else as JSON, which YAML always reads.
import { beginsReference } from "../read/references.js";
