// The part of pg that is loaded alone.
declare module "pg/lib/client.js" {
  import type { Client, ClientConfig } from "pg";
  import type { Socket } from "node:net";

  type WholeClient = Client & {
    /** The number of the server's process, as it was told when the connection began. */
    readonly processID: number | null;
    readonly connection: { readonly stream: Socket };
  };
  const OwnClient: new (config: ClientConfig) => WholeClient;
  export type { WholeClient };
  export default OwnClient;
}
