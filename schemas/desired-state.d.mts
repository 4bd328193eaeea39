// What the compiled validator offers: a value → whether it fits, and the errors of the last value.
interface SchemaError {
  readonly instancePath: string;
  readonly schemaPath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
}
declare const validator: {
  (value: unknown): boolean;
  errors?: readonly SchemaError[] | null;
};
export default validator;
