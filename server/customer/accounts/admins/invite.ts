import type { AccountId } from '../../../../contract/customer/accounts.ts';
import type { AdminRole } from '../../../../contract/customer/admin-roles.ts';
import type { Language } from '../../../../contract/ground/constants.ts';
import { DomainError } from '../../../ground/domain-error.ts';
import type { AccountsDeps } from '../accounts-deps.ts';
import { acceptEmail } from '../email.ts';
import { accountMails } from '../mails/account-mails.ts';
import { findByEmail } from '../store.ts';
import { type InvitationRow, insertInvitation } from './invitation-store.ts';

const LIFETIME_SECONDS = 14 * 24 * 3600;

interface Invited {
  email: string;
  language: Language;
  by: AccountId;
  /** They will be an admin. */
  adminRole?: AdminRole;
}

/** The link works once, with this email. */
export const sendInvitation = (
  { db, queue }: Pick<AccountsDeps, 'db' | 'queue'>,
  { by, email, language, adminRole }: Invited,
): Promise<InvitationRow> =>
  db.transaction().execute(async (trx) => {
    const invitation = await insertInvitation(trx, {
      email,
      language,
      invitedBy: by,
      adminRole: adminRole ?? null,
      lifetimeSeconds: LIFETIME_SECONDS,
    });
    if (!invitation) throw new DomainError('E_INVITED_AS_ADMIN');
    await accountMails.request(
      { queue, db: trx },
      { kind: 'invitation', invitationId: invitation.id, language },
    );
    return invitation;
  });

/** Sends somebody a link by which they may register with this email, once. */
export const invite = async (
  { db, queue, registration }: Pick<AccountsDeps, 'db' | 'queue' | 'registration'>,
  { email: typed, ...invited }: Invited,
): Promise<InvitationRow> => {
  if (registration === 'closed') throw new DomainError('E_REGISTRATION_CLOSED');
  const email = acceptEmail(typed);
  if (await findByEmail(db, email)) throw new DomainError('E_EMAIL_TAKEN');
  return sendInvitation({ db, queue }, { ...invited, email });
};
