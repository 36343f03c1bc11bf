import { opendir } from 'node:fs/promises';
import type { MailSummary } from '../../../contract/office/mailbox.ts';

export type MailId = MailSummary['_id'];

const MAIL_NAME = /^[\w-][\w.-]{0,119}\.eml$/;
/** Of a folder's entries at once. */
const PIECE = 250;

export const isMailName = (name: string): name is MailId => MAIL_NAME.test(name);

export const isNoMail = (error: unknown): boolean =>
  ['ENOENT', 'ELOOP', 'EISDIR'].includes((error as NodeJS.ErrnoException).code ?? '');

/**
 * The mails of a folder in no order, piece by piece: a folder of many thousands, read at once, would hold up the event
 * loop. None where the folder is missing.
 */
export async function* mailNames(folder: string): AsyncGenerator<MailId> {
  const entries = await opendir(folder, { bufferSize: PIECE }).catch((error: unknown) => {
    if (isNoMail(error)) return [];
    throw error;
  });
  for await (const entry of entries) if (entry.isFile() && isMailName(entry.name)) yield entry.name;
}
