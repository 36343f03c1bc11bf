import type { AccountId } from '../../../contract/customer/accounts.ts';
import type { Language } from '../../../contract/ground/constants.ts';
import { type BillingDeps, requireContact } from './billing-deps.ts';
import type { StatementFacts } from './draw-statement.ts';
import { dayAt, monthAt, monthSpan } from './month.ts';
import { readStatement } from './read-bill.ts';

const DRAW = new URL('./draw-statement.ts', import.meta.url);

/** The bill of a month and how the balance changed, in the reader's language. */
export const statementPdf = async (
  deps: BillingDeps,
  { accountId, date, language }: { accountId: AccountId; date: string | undefined; language: Language },
): Promise<{ pdf: Buffer; month: string }> => {
  const contact = await requireContact(deps, accountId);
  const month = date ?? monthAt(new Date(), contact.timeZone);
  const span = monthSpan(month, contact.timeZone);
  const statement = await readStatement(deps.db, accountId, span);
  const facts: StatementFacts = {
    language,
    accountId,
    month,
    firstDay: dayAt(span.from, contact.timeZone),
    lastDay: dayAt(new Date(span.to.getTime() - 1), contact.timeZone),
    contact,
    statement,
  };
  const pdf = await deps.workshop.run<Uint8Array>(DRAW, { input: facts, key: accountId });
  return { month, pdf: Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength) };
};
