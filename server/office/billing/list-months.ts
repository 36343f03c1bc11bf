import type { AccountId } from '../../../contract/customer/accounts.ts';
import { findFirstMovement, findMovedSpans } from '../../customer/wallet/ledger/index.ts';
import type { Db } from '../../ground/postgres/index.ts';
import { findFirstUse, findUsedSpans } from '../../traffic/messages/index.ts';
import { monthAt, monthSpan, monthsBetween } from './month.ts';

/** The months in which messages were sent or money moved, newest first. */
export const listMonths = async (db: Db, accountId: AccountId, timeZone: string): Promise<string[]> => {
  const firsts = [await findFirstUse(db, accountId), await findFirstMovement(db, accountId)];
  const known = firsts.flatMap((first) => first?.getTime() ?? []);
  if (known.length === 0) return [];
  const months = monthsBetween(
    monthAt(new Date(Math.min(...known)), timeZone),
    monthAt(new Date(), timeZone),
  );
  const spans = months.map((month) => monthSpan(month, timeZone));
  const found = new Set([
    ...(await findUsedSpans(db, accountId, spans)),
    ...(await findMovedSpans(db, accountId, spans)),
  ]);
  return months.filter((_, at) => found.has(at));
};
