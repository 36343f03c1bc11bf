import type { SmtpRefusal } from './answers.ts';
import type { MailTransaction } from './letter.ts';

/** How often a message whose connection was lost before its content goes to another one. */
const MOST_RETURNS = 2;

/** Messages that are composed and wait for a connection. */
export const openLetterQueue = () => {
  let waiting: MailTransaction[] = [];
  const returns = new WeakMap<MailTransaction, number>();
  return {
    isEmpty: (): boolean => waiting.length === 0,
    push: (letter: MailTransaction): void => {
      waiting.push(letter);
    },
    next: (): MailTransaction | undefined => waiting.shift(),
    /** One that was certainly not sent is the first again; false if it came back too often. */
    putBack: (letter: MailTransaction): boolean => {
      const times = (returns.get(letter) ?? 0) + 1;
      returns.set(letter, times);
      if (times <= MOST_RETURNS) waiting.unshift(letter);
      return times <= MOST_RETURNS;
    },
    giveBack: (refusal: SmtpRefusal): void => {
      const back = waiting;
      waiting = [];
      for (const { settle } of back) settle(refusal);
    },
  };
};
