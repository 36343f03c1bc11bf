import type { RelayOptions } from '../relay-options.ts';
import { lookEveryMs, type Silence } from './after-silence.ts';
import { openConnection } from './connection.ts';
import type { SmtpReply } from './reply-reader.ts';

interface DialogueEvents<Asked> {
  /** `asked` is what it answers; undefined if nothing was asked. */
  answered: (asked: Asked | undefined, reply: SmtpReply) => void;
  /** Told all the time. */
  silent: (silence: Pick<Silence, 'isAnswerDue' | 'silentMs'>) => void;
  /** It may be told more than once: the first reason counts. */
  ended: (reason: string) => void;
}

/**
 * Commands and the answers to them, over one connection. Remembered: what the answers that are still to come answer, in
 * order, and when either side spoke last.
 */
export const openDialogue = <Asked>(options: RelayOptions, first: Asked, events: DialogueEvents<Asked>) => {
  const asked: Asked[] = [first];
  let stirredAt = performance.now();
  const connection = openConnection(options, {
    reply: (reply) => {
      stirredAt = performance.now();
      events.answered(asked.shift(), reply);
    },
    ended: (reason) => {
      clearInterval(timer);
      events.ended(reason);
    },
  });
  const timer = setInterval(
    () => events.silent({ isAnswerDue: asked.length > 0, silentMs: performance.now() - stirredAt }),
    lookEveryMs(options),
  );

  const expect = (of: Asked): void => {
    asked.push(of);
  };
  const write = (text: string): void => {
    stirredAt = performance.now();
    connection.write(text);
  };
  return {
    /** One more answer is still to come, to what is written next. */
    expect,
    write,
    ask: (text: string, of: Asked): void => {
      expect(of);
      write(`${text}\r\n`);
    },
    isAnswerDue: (): boolean => asked.length > 0,
    address: connection.address,
    secure: connection.secure,
    end: connection.end,
    destroy: (): void => {
      clearInterval(timer);
      connection.destroy();
    },
  };
};
