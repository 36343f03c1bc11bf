import { z } from 'zod';
import type { SenderId } from '../../../contract/customer/senders.ts';
import { LANGUAGES, type Language } from '../../../contract/ground/constants.ts';
import { type MailContent, mailRequests, type WrittenMail } from '../../ground/mail/index.ts';
import type { Db } from '../../ground/postgres/index.ts';
import { text } from '../../ground/translations/index.ts';
import { hashCode, newCode } from './code.ts';
import { findAddress, keepCode } from './code-store.ts';

const VALID_MINUTES = 60;

const request = z.object({
  senderId: z.custom<SenderId>((value) => typeof value === 'string'),
  language: z.enum(LANGUAGES),
});

export const codeMails = mailRequests({
  task: 'senders.send-code',
  request,
  about: ({ senderId }) => ({ senderId }),
  concurrency: 2,
});

/** Says nothing that the account could have written: whoever gets it may never have heard of us. */
const codeLetter = (language: Language, { sender, code }: { sender: string; code: string }): MailContent => ({
  language,
  subject: text(language, 'mail.senderCode.subject', { code }),
  paragraphs: [
    text(language, 'mail.senderCode.body', { address: sender }),
    code,
    text(language, 'mail.senderCode.valid', { minutes: VALID_MINUTES }),
  ],
  buttons: [],
  notes: [text(language, 'mail.senderCode.ignore')],
});

/** The code is made when the mail is sent, and only its hash is stored; a retry makes another. */
export const writeCode = async (
  { db, secretKey }: { db: Db; secretKey: Buffer },
  { senderId, language }: z.infer<typeof request>,
): Promise<WrittenMail | undefined> => {
  const waiting = await findAddress(db, senderId);
  if (!waiting) return undefined;
  const code = newCode();
  const codeHash = hashCode(secretKey, { senderId, code });
  await keepCode(db, { senderId, codeHash, minutes: VALID_MINUTES });
  const { sender } = waiting;
  return { to: sender, letter: codeLetter(language, { sender, code: code.replace(/(....)$/, ' $1') }) };
};
