import { cmsErrorName, isDoubtful, isRetryable } from '../modems/cms-errors.ts';
import { type ModemMessage, type ModemOutcome, refusedOutcome, sent, unknown } from '../modems/modem.ts';
import { encodeSubmit } from '../pdu/submit.ts';
import { AtError, AtSilence, NothingSent } from './at-errors.ts';
import type { AtPort } from './at-port.ts';

/** What is known of a message of which a part failed. */
const judgeFailure = (error: Error, known: { references: string[]; parts: number }): ModemOutcome => {
  const cause = error instanceof NothingSent ? error.cause : error;
  const { message: reason } = cause;
  const code = cause instanceof AtError ? cause.code : '';
  const isRefusal = error instanceof NothingSent || (code !== '' && !isDoubtful(code));
  const told = { ...known, code: cmsErrorName(code || 'NO_ANSWER'), reason };
  // If only some of the parts were sent, nobody may send the message again.
  if (!isRefusal || known.references.length > 0) return unknown(told);
  return refusedOutcome({ ...told, retryable: isRetryable(code) });
};

/** One part after the other, and no more once one has failed. */
export const sendParts = async (
  at: AtPort,
  message: ModemMessage,
  { reference, answerMs }: { reference: number; answerMs: number },
): Promise<ModemOutcome> => {
  const pdus = encodeSubmit({ ...message, reference });
  const references: string[] = [];
  for (const pdu of pdus) {
    try {
      const lines = await at.submit(pdu, answerMs);
      const [, given] = /^\+CMGS: *(\d+)/.exec(lines.find((line) => line.startsWith('+CMGS')) ?? '') ?? [];
      if (given === undefined) throw new AtSilence('the modem gave no reference');
      references.push(given);
    } catch (error) {
      const cause = error instanceof NothingSent ? error.cause : error;
      // A late answer must not be taken for the next command's.
      if (cause instanceof AtSilence) at.close();
      return judgeFailure(error as Error, { references, parts: pdus.length });
    }
  }
  return sent(references);
};
