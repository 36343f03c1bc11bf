import { z } from 'zod';

/** An address with one of these protocols, such as `https:`. */
export const url = (...protocols: string[]) =>
  z.string().refine((text) => URL.canParse(text) && protocols.includes(new URL(text).protocol), {
    error: `must be an address that begins with ${protocols.map((p) => `${p}//`).join(' or ')}`,
  });

export const number = (what: string, min: number, max: number) => {
  const error = `must be ${what}`;
  return z.coerce.number(error).int(error).min(min, error).max(max, error);
};

/** Parts with commas between. */
export const list = z.string().transform((text) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean),
);

export const domain = z
  .string()
  .regex(/^([a-z0-9-]+\.)+[a-z0-9-]+$/i, 'must be a domain such as mail.example.com');
