import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Db } from '../postgres/index.ts';
import type { Queue, Tasks } from '../queue/index.ts';
import { composeMail, type MailContent } from './compose-mail.ts';
import type { Mailer } from './mailer.ts';

export interface MailTaskDeps {
  mailer: Mailer;
  /** Where people reach the pages: links in mails begin with it. */
  publicUrl: () => string;
  log: { warn: (facts: object, message: string) => void };
}

export interface WrittenMail {
  to: string;
  letter: MailContent;
  /** For the log, if the mail is refused. */
  about?: object;
  /** Called once the mail server has taken it. */
  onSent?: () => Promise<void>;
}

interface RoomMails<Request> {
  /** The name of the task that sends them. */
  task: string;
  /** What the queue stores of a mail: never a token or code, which the worker creates when it sends. */
  request: z.ZodType<Request>;
  /** What the log says of a request; never an address. */
  about: (request: Request) => object;
  concurrency?: number;
}

const numbered = z.object({ mailId: z.uuid() });

/** The mails of a room: requested by its verbs, written and sent by a task. */
export const mailRequests = <Request extends object>({
  task,
  request: shape,
  about,
  concurrency = 1,
}: RoomMails<Request>) => ({
  task,
  /** With `db` a transaction, the mail is sent if and only if it commits. */
  request: ({ queue, db }: { queue: Pick<Queue, 'send'>; db?: Db }, request: Request): Promise<void> =>
    queue.send(task, { mailId: randomUUID(), ...request }, db && { db }),
  /** `write` returns undefined if the mail has become pointless. A retry writes again, and keeps the mail's id. */
  tasks: (
    { mailer, publicUrl, log }: MailTaskDeps,
    write: (request: Request) => Promise<WrittenMail | undefined>,
  ): Tasks => ({
    [task]: {
      concurrency,
      run: async (data) => {
        const request = shape.parse(data);
        const written = await write(request);
        if (!written) return;
        const { to, letter, onSent } = written;
        const messageId = `${numbered.parse(data).mailId}@${new URL(publicUrl()).hostname}`;
        const result = await mailer.send({
          ...composeMail(letter),
          to,
          language: letter.language,
          messageId,
        });
        if (result.outcome === 'refused')
          log.warn({ ...about(request), ...written.about, reason: result.reason }, 'mail refused');
        else await onSent?.();
      },
      onGiveUp: async (data) => {
        log.warn({ ...about(shape.parse(data)), ...numbered.parse(data) }, 'mail given up');
      },
    },
  }),
});
