/** What mysql2 hands to a type cast. */
interface Field {
  type: string;
  buffer: () => Buffer | null;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

const hexadecimal = (bytes: Buffer): string => `0x${bytes.toString('hex')}`;

const textOf = (bytes: Buffer): string => {
  try {
    return utf8.decode(bytes);
  } catch {
    return hexadecimal(bytes);
  }
};

/** Every value in the database's own words; bytes that are no text in hexadecimal digits. */
export const mysqlCell = (field: Field): string | null => {
  const bytes = field.buffer();
  if (bytes === null) return null;
  return field.type === 'BIT' || field.type === 'GEOMETRY' ? hexadecimal(bytes) : textOf(bytes);
};

/** Answers of a prepared statement come as numbers and times of the protocol, which mysql2 has to read by these. */
export const PREPARED = {
  dateStrings: true,
  supportBigNumbers: true,
  bigNumberStrings: true,
  jsonStrings: true,
};

export const cellOfValue = (value: unknown): string | null => {
  if (value === null || value === undefined) return null;
  return Buffer.isBuffer(value) ? textOf(value) : String(value);
};
