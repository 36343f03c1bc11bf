import { inWords, isFine } from '../answers.ts';
import type { MailTransaction } from '../letter.ts';
import type { Features } from './greeting.ts';
import type { SmtpReply } from './reply-reader.ts';
import {
  commandOf,
  type EnvelopeCommand,
  nextOfEnvelope,
  outcomeOf,
  refusalBefore,
} from './transaction-steps.ts';

export type TransactionAsked = EnvelopeCommand | 'content' | 'empty content' | 'RSET';

/** What the session does for its transactions. */
interface Line {
  features: () => Features;
  /** One more answer is still to come. */
  expect: (asked: TransactionAsked) => void;
  write: (text: string) => void;
  /** The next message, if there is one and it may begin. */
  next: () => MailTransaction | undefined;
  /** As many messages as a connection may carry were answered. */
  full: () => void;
  fail: (reason: string) => void;
}

interface Known {
  entering: MailTransaction | undefined;
  /** What refused the one that is entering first. */
  refusal: ReturnType<typeof refusalBefore>;
  sent: MailTransaction | undefined;
  /** How many were begun on this connection. */
  begun: number;
}

const WHOLE: readonly EnvelopeCommand[] = ['MAIL', 'RCPT', 'DATA'];

/** Answers messages that it can't even try, and finds the next one that it can. */
const pick = (line: Line): MailTransaction | undefined => {
  for (let letter = line.next(); letter; letter = line.next()) {
    const refusal = refusalBefore(letter, line.features());
    if (!refusal) return letter;
    letter.settle(refusal);
  }
  return undefined;
};

const say = (line: Line, letter: MailTransaction, commands: readonly EnvelopeCommand[], first = ''): void => {
  let text = first;
  for (const command of commands) {
    line.expect(command);
    text += commandOf(command, letter, line.features());
  }
  line.write(text);
};

/**
 * The mail transactions of one connection (RFC 5321, 3.3). Two are open at most, one in each of these modes:
 *
 * - `entering`: its envelope was sent, its content was not. Each answer to the envelope moves it on, see
 *   `nextOfEnvelope`. With PIPELINING (RFC 2920) the envelope is one group of commands, and it is sent together with the
 *   content of the message before it; without, a command goes out when the one before is answered. Remembered: what
 *   refused it first. If the connection ends, it was certainly not sent.
 * - `sent`: its content was sent; from here on only the server knows the outcome. The answer settles it, see `outcomeOf`.
 */
export const openTransactions = (maxMessages: number, line: Line) => {
  const known: Known = { entering: undefined, refusal: undefined, sent: undefined, begun: 0 };

  /** Starts the next message, after what has to be written first. */
  const begin = (first = ''): void => {
    const letter = known.begun < maxMessages ? pick(line) : undefined;
    if (letter) {
      known.begun += 1;
      known.entering = letter;
      known.refusal = undefined;
      say(line, letter, line.features().pipelining ? WHOLE : ['MAIL'], first);
    } else if (first !== '') line.write(first);
  };
  const isIdle = (): boolean => !known.entering && !known.sent;
  const proceed = (first = ''): void => {
    begin(first);
    if (isIdle() && known.begun >= maxMessages) line.full();
  };

  const enveloped = (asked: EnvelopeCommand, reply: SmtpReply, letter: MailTransaction) => {
    const { pipelining } = line.features();
    const step = nextOfEnvelope(asked, reply, { pipelining, refusal: known.refusal });
    if (step.next === 'fail') return line.fail(step.reason);
    if (step.next === 'ask') return say(line, letter, [step.command]);
    known.refusal = step.next === 'content' ? undefined : step.refusal;
    if (step.next === 'wait') return;
    known.entering = undefined;
    if (step.next === 'content') {
      known.sent = letter;
      line.expect('content');
      return pipelining ? begin(letter.data) : line.write(letter.data);
    }
    letter.settle(step.refusal);
    if (step.next === 'empty content') {
      line.expect('empty content');
      return proceed('.\r\n');
    }
    line.expect('RSET');
    return pipelining ? proceed('RSET\r\n') : line.write('RSET\r\n');
  };
  const contentAnswered = (reply: SmtpReply, letter: MailTransaction) => {
    known.sent = undefined;
    const { outcome, fault } = outcomeOf(reply, letter.messageId);
    letter.settle(outcome);
    if (fault !== undefined) return line.fail(fault);
    if (!known.entering) proceed();
  };

  return {
    begin,
    isIdle,
    isSent: (): boolean => known.sent !== undefined,
    answered: (asked: TransactionAsked, reply: SmtpReply) => {
      if (asked === 'empty content') return;
      if (asked === 'content') return known.sent && contentAnswered(reply, known.sent);
      if (asked !== 'RSET') return known.entering && enveloped(asked, reply, known.entering);
      if (!isFine(reply)) return line.fail(`the mail server answers RSET with ${inWords(reply)}`);
      if (!line.features().pipelining) proceed();
    },
    /** No answer comes any more. Returns the message that was certainly not sent. */
    end: (reason: string): MailTransaction | undefined => {
      const { entering, sent } = known;
      known.entering = undefined;
      known.sent = undefined;
      sent?.settle({ outcome: 'unknown', reason: `The connection ended before the answer: ${reason}.` });
      return entering;
    },
  };
};
