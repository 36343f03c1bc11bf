import { z } from 'zod';

/** A calendar day, YYYY-MM-DD. */
export const day = z.iso.date().regex(/^(19|2\d)\d\d-/);
