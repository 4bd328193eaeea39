// Writes a value as YAML: plain where that is safe, else as JSON, which YAML always reads.
import { shellVariableIn } from "../read/references.js";
import { beginsReference } from "../read/references.js";
