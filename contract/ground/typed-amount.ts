import { z } from 'zod';

/** An amount in USD as people type it: a number, or a text, so that a text that is no amount gets a clear error. */
export const typedAmount = z
  .union([z.number(), z.string().max(60)])
  .meta({ description: 'In USD, whole cents.', examples: [20] });
