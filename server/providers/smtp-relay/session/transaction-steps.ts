import type { SendOutcome } from '../../../traffic/lanes/index.ts';
import { inWords, isFine, replyRefusal, type SmtpRefusal, smtpRefused } from '../answers.ts';
import type { MailTransaction } from '../letter.ts';
import type { Features } from './greeting.ts';
import type { SmtpReply } from './reply-reader.ts';

/** The envelope of a message. */
export type EnvelopeCommand = 'MAIL' | 'RCPT' | 'DATA';

/** Why a message can't even be tried. */
export const refusalBefore = (
  { octets, utf8 }: Pick<MailTransaction, 'octets' | 'utf8'>,
  features: Features,
): SmtpRefusal | undefined => {
  if (features.size > 0 && octets > features.size)
    return smtpRefused('TOO_LARGE', `The mail server takes no message above ${features.size} octets.`);
  return utf8 && !features.utf8
    ? smtpRefused('ADDRESS_NOT_ASCII', 'The mail server takes only addresses of plain letters.')
    : undefined;
};

export const commandOf = (
  command: EnvelopeCommand,
  { from, to, octets, utf8 }: MailTransaction,
  { size }: Features,
): string => {
  if (command === 'DATA') return 'DATA\r\n';
  if (command === 'RCPT') return `RCPT TO:<${to}>\r\n`;
  return `MAIL FROM:<${from}>${size >= 0 ? ` SIZE=${octets}` : ''}${utf8 ? ' BODY=8BITMIME SMTPUTF8' : ''}\r\n`;
};

type EnvelopeStep =
  /** The answers to the rest of the envelope are still to come. */
  | { next: 'wait'; refusal: SmtpRefusal | undefined }
  | { next: 'ask'; command: EnvelopeCommand }
  /** The message is refused; the server may still have an open transaction. */
  | { next: 'reset'; refusal: SmtpRefusal }
  /** RFC 2920, 3.1: it waits for the content of a message without recipients. It gets an empty one. */
  | { next: 'empty content'; refusal: SmtpRefusal }
  | { next: 'content' }
  | { next: 'fail'; reason: string };

const WAIT: EnvelopeStep = { next: 'wait', refusal: undefined };
const CONTENT: EnvelopeStep = { next: 'content' };
const AFTER = { MAIL: { next: 'ask', command: 'RCPT' }, RCPT: { next: 'ask', command: 'DATA' } } as const;

/** What follows an answer to the envelope; `refusal` is what an answer before it to the same message said. */
export const nextOfEnvelope = (
  asked: EnvelopeCommand,
  reply: SmtpReply,
  { pipelining, refusal }: { pipelining: boolean; refusal: SmtpRefusal | undefined },
): EnvelopeStep => {
  const isTaken = asked === 'DATA' ? reply.code === 354 : isFine(reply);
  if (!isTaken && reply.code < 400) return { next: 'fail', reason: `the answer to ${asked} makes no sense` };
  const first = refusal ?? (isTaken ? undefined : replyRefusal(reply, asked));
  if (asked !== 'DATA' && pipelining) return first ? { next: 'wait', refusal: first } : WAIT;
  if (first) return { next: asked === 'DATA' && isTaken ? 'empty content' : 'reset', refusal: first };
  return asked === 'DATA' ? CONTENT : AFTER[asked];
};

/** What became of a message whose content was sent, and why the connection can't go on, if so. */
export const outcomeOf = (reply: SmtpReply, messageId: string): { outcome: SendOutcome; fault?: string } => {
  if (isFine(reply)) return { outcome: { outcome: 'accepted', providerMessageId: messageId } };
  if (reply.code < 400)
    return {
      outcome: { outcome: 'unknown', reason: 'The answer to the content makes no sense.' },
      fault: 'the answer to the content makes no sense',
    };
  const outcome = replyRefusal(reply, 'DATA');
  return reply.code === 421
    ? { outcome, fault: `the mail server ended with ${inWords(reply)}` }
    : { outcome };
};
