import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { SenderId } from '../../../contract/customer/senders.ts';
import { LANGUAGES } from '../../../contract/ground/constants.ts';
import { compose, type Letter, type Mailer } from '../../ground/mail/index.ts';
import type { Db } from '../../ground/postgres/index.ts';
import type { Queue } from '../../ground/queue/index.ts';
import { text } from '../../ground/translations/index.ts';
import { hashCode, newCode } from './code.ts';
import { findAddress, keepCode } from './code-store.ts';

export const SEND_CODE = 'senders.send-code';

const VALID_MINUTES = 60;

export const codeRequest = z.object({
  mailId: z.uuid(),
  senderId: z.custom<SenderId>((value) => typeof value === 'string'),
  language: z.enum(LANGUAGES),
});
type CodeRequest = z.infer<typeof codeRequest>;

/** Within the transaction given, so that the mail is sent if and only if it commits. */
export const requestCode = (
  queue: Pick<Queue, 'send'>,
  request: Omit<CodeRequest, 'mailId'>,
  trx: Db,
): Promise<void> => queue.send(SEND_CODE, { mailId: randomUUID(), ...request }, { db: trx });

export interface SendCodeDeps {
  db: Db;
  secretKey: Buffer;
  mailer: Mailer;
  publicUrl: () => string;
  log: { warn: (facts: object, message: string) => void };
}

/** Says nothing that the account could have written: whoever gets it may never have heard of us. */
const codeLetter = ({ language, sender, code }: CodeRequest & { sender: string; code: string }): Letter => ({
  language,
  subject: text(language, 'mail.senderCode.subject', { code: code.replace(/(....)$/, ' $1') }),
  paragraphs: [
    text(language, 'mail.senderCode.body', { address: sender }),
    code.replace(/(....)$/, ' $1'),
    text(language, 'mail.senderCode.valid', { minutes: VALID_MINUTES }),
  ],
  buttons: [],
  notes: [text(language, 'mail.senderCode.ignore')],
});

/** The code is made when the mail is sent, and only its hash is stored; a retry makes another. */
export const sendCode = async (deps: SendCodeDeps, request: CodeRequest): Promise<void> => {
  const { senderId, language, mailId } = request;
  const waiting = await findAddress(deps.db, senderId);
  if (!waiting) return;
  const code = newCode();
  const codeHash = hashCode(deps.secretKey, { senderId, code });
  await keepCode(deps.db, { senderId, codeHash, minutes: VALID_MINUTES });
  const result = await deps.mailer.send({
    ...compose(codeLetter({ ...request, ...waiting, code })),
    to: waiting.sender,
    language,
    messageId: `${mailId}@${new URL(deps.publicUrl()).hostname}`,
  });
  if (result.outcome === 'refused') deps.log.warn({ senderId, reason: result.reason }, 'mail refused');
};
