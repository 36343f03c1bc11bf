import type { Body } from '../../../contract/calls.ts';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import { countryOf, readRecipient } from '../../ground/recipients/index.ts';
import { optOut } from './opt-out.ts';
import type { OptOutsDeps } from './opt-outs-deps.ts';
import { findOptOut, type OptOutRow } from './store.ts';

type Given = Body<'POST /account/:accountId/optOuts'> & { accountId: AccountId };

/** By hand. A recipient who is already opted out keeps the source and note of the first time. */
export const addOptOut = async (
  { db, queue }: OptOutsDeps,
  { accountId, channel, phone, countryCode, note = '' }: Given,
): Promise<OptOutRow> => {
  const { recipient } = readRecipient(channel, phone, countryOf(countryCode));
  const given = { accountId, channel, recipient, source: 'MANUAL' as const, note: clean(note) };
  return db.transaction().execute(async (trx) => {
    const [made] = await optOut({ db: trx, queue }, [given]);
    const kept = made ?? (await findOptOut(trx, given));
    if (!kept) throw new Error('an opt-out is gone');
    return kept;
  });
};

/** PostgreSQL can't store NUL, and a note is one line. */
export const clean = (note: string): string =>
  note
    .toWellFormed()
    .replace(/\p{Cc}+/gu, ' ')
    .trim();
