// The part of undici that is loaded alone.
declare module "undici/lib/dispatcher/agent.js" {
  export { Agent as default } from "undici";
}
