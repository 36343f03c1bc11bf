import type { AccountId } from '../../../../contract/customer/accounts.ts';
import { DomainError } from '../../../ground/domain-error.ts';
import { reachProvider } from '../payments/reach-provider.ts';
import type { WalletDeps } from '../wallet-deps.ts';
import { findCustomer, keepCustomer } from './card-store.ts';

/** Starts adding a card in the provider's form; the reply mounts the form. */
export const beginCard = async (
  { db, processor, contactOf, log }: WalletDeps,
  accountId: AccountId,
): Promise<string> => {
  const contact = await contactOf(accountId);
  if (!contact) throw new DomainError('E_NOT_FOUND');
  const owner = { accountId, processor: processor.name };
  const known = await findCustomer(db, owner);
  const begin = (customerRef: string | undefined) =>
    reachProvider(log, processor.beginCard({ accountId, email: contact.email, customerRef }));
  const begun = await begin(known);
  if (begun.customerRef === known) return begun.clientSecret;
  await keepCustomer(db, owner, { customerRef: begun.customerRef, instead: known });
  const kept = await findCustomer(db, owner);
  if (kept === begun.customerRef) return begun.clientSecret;
  // A concurrent request created a customer: the card has to belong to the one that was stored.
  return (await begin(kept)).clientSecret;
};
