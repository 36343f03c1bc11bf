import type { QueriedFields } from '../codec/pdu-writer.ts';
import { STATUS, statusName } from '../codec/statuses.ts';

/** The answer to a query; a text says why there is none. */
export type Queried = QueriedFields | string;

/** What was asked on a connection about messages and waits for its answer. */
export const openQueries = (timeoutMs: number) => {
  const waiting = new Map<number, (answer: Queried) => void>();
  return {
    isWaiting: (number: number): boolean => waiting.has(number),
    add: (number: number): Promise<Queried> =>
      new Promise((resolve) => {
        waiting.set(number, resolve);
        setTimeout(() => {
          if (waiting.delete(number)) resolve('The message centre did not answer in time.');
        }, timeoutMs).unref();
      }),
    answered: (status: number, number: number, fields: QueriedFields | undefined): void => {
      const settle = waiting.get(number);
      waiting.delete(number);
      if (status === STATUS.ok) settle?.(fields ?? 'The answer could not be read.');
      else settle?.(`The message centre answered ${statusName(status)}.`);
    },
    /** No answer comes any more. */
    end: (reason: string): void => {
      for (const settle of waiting.values()) settle(reason);
      waiting.clear();
    },
  };
};
export type Queries = ReturnType<typeof openQueries>;
