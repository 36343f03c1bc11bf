import { inWords } from '../answers.ts';
import type { MailTransaction } from '../letter.ts';
import type { RelayOptions } from '../relay-options.ts';
import { afterSilence, type Mode, type Silence } from './after-silence.ts';
import { openDialogue } from './dialogue.ts';
import { type GreetingAsked, isOfGreeting } from './greeting.ts';
import { openIntroduction } from './introduction.ts';
import type { SmtpReply } from './reply-reader.ts';
import { openTransactions, type TransactionAsked } from './transactions.ts';

interface SessionEvents {
  ready: () => void;
  /** The next message, if there is one. */
  next: () => MailTransaction | undefined;
  /** It was certainly not sent. */
  back: (letter: MailTransaction, reason: string) => void;
  /** Once, however it ended; `planned` if we ended it. */
  over: (reason: string, planned: boolean) => void;
}

/** One connection, from the first octet to the last. */
export interface Session {
  isReady: () => boolean;
  /** Takes the next message, unless it is busy. */
  wake: () => void;
  /** Quits once nothing is in flight. */
  quit: () => void;
  destroy: (reason: string) => void;
}

type Asked = GreetingAsked | TransactionAsked | 'NOOP' | 'QUIT';

const QUIT_MS = 1_000;

/**
 * Speaks SMTP. `stays`: it is kept alive when idle, others end. Its modes, in their order:
 *
 * - `greeting`: from the connection to the last answer to EHLO, TLS and login; each answer moves it on, see
 *   `nextGreeting`. Remembered: what the server offers, and whether TLS is spoken.
 * - `ready`: messages are sent, see `openTransactions`, which knows those under way.
 * - `quitting`: QUIT was said: we were asked to quit, it carried as many messages as it may, or it was idle. No message is
 *   under way. The answer closes the connection; it is not waited for beyond QUIT_MS.
 * - `over`: the connection ended or made no sense; nothing moves it any more.
 *
 * Silence moves it too, see `afterSilence`. What was asked is remembered by the dialogue.
 */
export const openSession = (
  options: RelayOptions,
  { stays }: { stays: boolean },
  events: SessionEvents,
): Session => {
  let mode: Mode = 'greeting';

  const end = (reason: string): void => {
    if (mode === 'over') return;
    const planned = mode === 'quitting';
    mode = 'over';
    const back = transactions.end(reason);
    // Before the message is given back: it must not come to this connection again.
    events.over(reason, planned);
    if (back) events.back(back, reason);
  };
  const destroy = (reason: string): void => {
    dialogue.destroy();
    end(reason);
  };
  const sayGoodBye = (): void => {
    mode = 'quitting';
    dialogue.ask('QUIT', 'QUIT');
    setTimeout(() => destroy('closed'), QUIT_MS).unref();
  };
  const wake = (): void => {
    if (mode !== 'ready' || !transactions.isIdle()) return;
    if (introduction.features().pipelining || !dialogue.isAnswerDue()) transactions.begin();
  };
  const answered = (asked: Asked | undefined, reply: SmtpReply) => {
    if (mode === 'over') return;
    // 421 may come at any time, RFC 5321 3.8; it does not answer what was sent before.
    if (reply.code === 421 && !transactions.isSent())
      return destroy(`the mail server ended with ${inWords(reply)}`);
    if (asked === undefined) return destroy('the mail server answers to nothing');
    if (isOfGreeting(asked)) return introduction.answered(asked, reply);
    if (asked === 'QUIT') return dialogue.end();
    // One may have begun before the answer: the envelope of another would become its content.
    if (asked === 'NOOP') return wake();
    transactions.answered(asked, reply);
  };
  const silent = (silence: Pick<Silence, 'isAnswerDue' | 'silentMs'>): void => {
    const next = afterSilence({ ...silence, mode, stays }, options);
    if (next === 'give up') destroy('the mail server did not answer in time');
    if (next === 'NOOP') dialogue.ask('NOOP', 'NOOP');
    if (next === 'QUIT') sayGoodBye();
  };

  const dialogue = openDialogue<Asked>(options, 'banner', { answered, silent, ended: end });
  const ready = (): void => {
    mode = 'ready';
    events.ready();
    wake();
  };
  const introduction = openIntroduction(options, { ...dialogue, ready, fail: destroy });
  const transactions = openTransactions(options.maxMessages, {
    ...dialogue,
    features: introduction.features,
    next: () => (mode === 'ready' ? events.next() : undefined),
    full: () => mode === 'ready' && sayGoodBye(),
    fail: destroy,
  });
  return {
    isReady: () => mode === 'ready',
    wake,
    quit: () => (mode === 'ready' && transactions.isIdle() ? sayGoodBye() : destroy('closed')),
    destroy,
  };
};
