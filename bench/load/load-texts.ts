/** Numbers of Hong Kong's mobiles, eleven digits with the country's. */
export const numberOf = (prefix: string, at: number): string =>
  prefix + String(at).padStart(11 - prefix.length, '0');

/** Plain text of one segment, different each time. */
export const bodyOf = (at: number | string): string =>
  `Dear customer ${at}, your parcel has arrived and is ready for collection.`;
