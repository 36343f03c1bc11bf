import type { AccountId } from '../../../contract/customer/accounts.ts';
import { call } from '../../ground/api/call.ts';
import { ownToken, storedToken, takeView, viewReason } from '../../ground/api/session.ts';
import { t } from '../../ground/i18n/translate.ts';
import { FieldsDialog, needed } from '../../ground/ui/forms/fields-dialog.tsx';

/**
 * Begins another view for the same reason, in which things can be changed, and ends the one that only reads. The tab has
 * the new one before the old one ends: if anything fails, it has one of them.
 */
const allow = async (account: { _id: AccountId; email: string }, password: string): Promise<void> => {
  const reason = viewReason();
  const reading = storedToken();
  const { token } = await call('POST /admin/accounts/:accountId/view', {
    params: { accountId: account._id },
    body: { reason, password },
    token: ownToken(),
  });
  takeView({ token, reason, accountId: account._id, email: account.email });
  await call('POST /account/logout', { token: reading }).catch(() => {});
  window.location.assign(window.location.pathname + window.location.search);
};

interface AllowChangesProps {
  account: { _id: AccountId; email: string };
  onClose: () => void;
}

/** Confirms by the admin's own password that things may be changed in the customer's account. */
export const AllowChanges = ({ account, onClose }: AllowChangesProps) => (
  <FieldsDialog
    opened
    onClose={onClose}
    title={t('view.allow')}
    text={t('view.allow_text', { email: account.email })}
    fields={[
      {
        name: 'password',
        about: /^E_PASSWORD/,
        label: t('view.password'),
        kind: 'password',
        fault: needed(t('guest.password_empty')),
      },
    ]}
    submit={async ({ password = '' }) => {
      await allow(account, password);
      return undefined;
    }}
  />
);
