import { z } from 'zod';

/** A calendar day, YYYY-MM-DD. */
export const day = z.iso.date().regex(/^(19|2\d)\d\d-/);

/** A calendar month, YYYY-MM. */
export const month = z.string().regex(/^(19|2\d)\d\d-(0[1-9]|1[0-2])$/);
