import { randomInt } from 'node:crypto';
import type { Outgoing, SendOutcome } from '../../traffic/lanes/index.ts';
import { composeSubmits } from './compose-submits.ts';
import { AWAY } from './not-sent.ts';
import type { openSending } from './send-message.ts';
import type { SmppOptions } from './smpp-options.ts';

/** The average of parts is one of about so many messages. */
const PARTS_OF = 16;

const whole = (message: Outgoing, said: SendOutcome): SendOutcome =>
  said.outcome === 'accepted' && said.providerMessageId === ''
    ? { ...said, providerMessageId: message.id }
    : said;

type Sending = Pick<ReturnType<typeof openSending>, 'sendOne' | 'sendLong'>;

/**
 * Composes what a lane hands over, and sends it. Remembered: how many messages are in our hands, of how many parts those
 * sent lately were on average, and which reference marked the parts of a long one last.
 */
export const openTaking = (options: SmppOptions, isUp: () => boolean, { sendOne, sendLong }: Sending) => {
  let sending = 0;
  let partsEach = 1;
  let reference = randomInt(256);
  const nextReference = (): number => {
    reference = (reference + 1) % 256;
    return reference;
  };
  return {
    isSending: (): boolean => sending > 0,
    partsEach: (): number => partsEach,
    // One promise for each, and none in between: tens of thousands are sent per second.
    send: (message: Outgoing): Promise<SendOutcome> =>
      new Promise((resolve, reject) => {
        if (!isUp()) return resolve(AWAY);
        const composed = composeSubmits(message, options, nextReference);
        if (!Array.isArray(composed)) return resolve(composed);
        const [only] = composed;
        sending += 1;
        partsEach += (composed.length - partsEach) / PARTS_OF;
        const settle = (said: SendOutcome): void => {
          sending -= 1;
          resolve(whole(message, said));
        };
        if (composed.length === 1 && only) return sendOne(message, only, settle);
        sendLong(message, composed).then(settle, (error) => {
          sending -= 1;
          reject(error);
        });
      }),
  };
};
