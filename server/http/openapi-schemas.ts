type Schema = Record<string, unknown>;

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A choice of one schema is that schema itself. */
const withoutSingleChoice = ({ anyOf, ...rest }: Schema): Schema =>
  Array.isArray(anyOf) && anyOf.length === 1 ? { ...(anyOf[0] as Schema), ...rest } : { anyOf, ...rest };

/** A record whose keys are known is an object that names them, which is what generators of clients understand. */
const withNamedKeys = ({ propertyNames, additionalProperties, ...rest }: Schema): Schema => {
  const keys = isSchema(propertyNames) && (propertyNames.enum as string[] | undefined);
  return keys && isSchema(additionalProperties)
    ? {
        ...rest,
        properties: Object.fromEntries(keys.map((key) => [key, additionalProperties])),
        additionalProperties: false,
      }
    : { ...rest, propertyNames, additionalProperties };
};

/** The same schemas, as a reader would have written them. */
export const plainSchemas = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(plainSchemas);
  if (!isSchema(value)) return value;
  const parts = Object.fromEntries(Object.entries(value).map(([key, part]) => [key, plainSchemas(part)]));
  const single = 'anyOf' in parts ? withoutSingleChoice(parts) : parts;
  return 'propertyNames' in single ? withNamedKeys(single) : single;
};
