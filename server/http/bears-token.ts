import { hash, timingSafeEqual } from 'node:crypto';

/** Whether the text is the token; the time that it takes says nothing about either. */
export const bearsToken = (given: string | string[] | undefined, token: string): boolean =>
  typeof given === 'string' &&
  timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', token, 'buffer'));
