import type { AccountId } from '../../../contract/customer/accounts.ts';
import { carryFile, forgetCarriedFiles, takeCarriedFile } from '../../ground/api/carried-file.ts';
import { onSessionChange, storedToken } from '../../ground/api/session.ts';
import { keepInTab, readFromTab } from '../../ground/api/tab-store.ts';
import { beforeReload } from '../../ground/i18n/language.ts';
import { cleared, type Draft } from './draft.ts';

const NAME = 'draft';

const CARRIED = 'carried-file';

/** A file can't be stored as text: it is kept until the page is reloaded, and through a change of language. */
let file: { accountId: AccountId; file: File } | undefined;
onSessionChange(() => {
  if (storedToken()) return;
  file = undefined;
  forgetCarriedFiles();
});
beforeReload(async () => {
  if (!file) return;
  const key = `${Date.now()}-${Math.random()}`;
  keepInTab(file.accountId, CARRIED, key);
  await carryFile(key, file.file);
});

/** The file that was chosen before the language was changed. */
export const readCarriedFile = async (accountId: AccountId): Promise<File | undefined> => {
  const key = readFromTab(accountId, CARRIED);
  if (typeof key !== 'string') return undefined;
  keepInTab(accountId, CARRIED, null);
  return takeCarriedFile(key).catch(() => undefined);
};

const TEXTS = ['device', 'country', 'phone', 'address', 'subject', 'message', 'template'] as const;

/** What was typed before the form was left; only what has the form of a draft. */
export const readDraft = (accountId: AccountId): Partial<Draft> => {
  const kept = readFromTab(accountId, NAME) as Partial<Draft> | undefined;
  if (typeof kept !== 'object') return {};
  const { way, target, schedule } = kept;
  return {
    ...Object.fromEntries(
      TEXTS.flatMap((field) => (typeof kept[field] === 'string' ? [[field, kept[field]]] : [])),
    ),
    ...(way?.channel && { way }),
    ...(target === 'csv' && { target }),
    ...(typeof schedule?.sendAt === 'string' && { schedule }),
    ...(file?.accountId === accountId && { file: file.file }),
  };
};

export const keepDraft = (accountId: AccountId, { file: chosen, ...texts }: Draft): void => {
  file = chosen && { accountId, file: chosen };
  keepInTab(accountId, NAME, texts);
};

/** For what was sent from outside the form. */
export const clearKeptDraft = (accountId: AccountId): void =>
  keepDraft(accountId, cleared(readDraft(accountId) as Draft));
