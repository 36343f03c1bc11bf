import type { z } from 'zod';

/** One call of the API: its input and its reply. The key in its table is `METHOD /path`, below `/api`. */
export interface Call {
  summary: string;
  params?: z.ZodType;
  query?: z.ZodType;
  body?: z.ZodType;
  headers?: z.ZodType;
  /** Of the body, if it may be larger than usual. The secret is then needed in the header. */
  maxBytes?: number;
  reply: z.ZodType;
}

/** Keeps the precise schema types of a table of calls while checking that each entry is a call. */
export const defineCalls = <T extends Record<`${'GET' | 'POST' | 'PUT' | 'DELETE'} /${string}`, Call>>(
  calls: T,
): T => calls;
