// The same parser as "yargs-parser", without what is Node's; its package does not say so.
declare module "yargs-parser/browser" {
  export { default } from "yargs-parser";
}
