/** What mysql2 hands to a type cast. */
interface Field {
  type: string;
  buffer: () => Buffer | null;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Every value in the database's own words; bytes that are no text in hexadecimal digits. */
export const cellOf = (field: Field): string | null => {
  const bytes = field.buffer();
  if (bytes === null) return null;
  const hexadecimal = () => `0x${bytes.toString('hex')}`;
  if (field.type === 'BIT' || field.type === 'GEOMETRY') return hexadecimal();
  try {
    return utf8.decode(bytes);
  } catch {
    return hexadecimal();
  }
};
