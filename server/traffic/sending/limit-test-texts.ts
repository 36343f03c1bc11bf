import type { Prepared } from './prepare.ts';
import type { SendingDeps } from './sending-deps.ts';
import type { Terms } from './terms.ts';

/** A call or file of no more than this is not counted, so that usual test messages cost no query. */
const SHORT = 1_000;
/** Points of the limit are thousands of characters. */
const CHARACTERS_PER_POINT = 1_000;

/** Characters that a message takes in the database. */
export const storedLength = (message: Prepared): number =>
  message.recipientRaw.length +
  message.message.length +
  (message.subject?.length ?? 0) +
  (message.html?.length ?? 0) +
  (message.identifier?.length ?? 0) +
  (message.content ? JSON.stringify(message.content).length : 0);

/** What is sent with the test secret costs nothing and is stored all the same: an account may send so much a day. */
export const limitTestTexts = async (
  { limits }: Pick<SendingDeps, 'limits'>,
  { accountId, free }: Terms,
  characters: number,
): Promise<void> => {
  if (free && characters > SHORT)
    await limits.consume('test-text-account', accountId, Math.ceil(characters / CHARACTERS_PER_POINT));
};
