// The package has no types of its own.
declare module "pgpass" {
  export default function pgPass(
    address: {
      readonly host: string;
      readonly port: number;
      readonly database: string;
      readonly user: string | undefined;
    },
    done: (password: string | undefined) => void,
  ): void;
}
