import { useRef } from 'react';
import { VIEW_MINUTES } from '../../../contract/customer/customer-states.ts';
import { call } from '../../ground/api/call.ts';
import { idempotencyKey } from '../../ground/api/idempotency-key.ts';
import { startView } from '../../ground/api/session.ts';
import { formatAmount } from '../../ground/i18n/format.ts';
import { t } from '../../ground/i18n/translate.ts';
import { ConfirmDialog } from '../../ground/ui/forms/confirm-dialog.tsx';
import { anything, FieldsDialog, needed } from '../../ground/ui/forms/fields-dialog.tsx';
import { useSave } from '../../ground/ui/forms/use-save.ts';
import type { Customer } from './customers-query.ts';

interface CustomerDialogProps {
  customer: Customer;
  onClose: () => void;
}

const reasonField = () => ({
  name: 'reason',
  label: t('payment.reason'),
  fault: needed(t('payments_desk.reason_missing')),
});

export const AdjustDialog = ({ customer, onClose }: CustomerDialogProps) => {
  // The same adjustment, however often it is sent from this dialog with this amount and reason.
  const sent = useRef({ what: '', key: '' });
  return (
    <FieldsDialog
      opened
      onClose={onClose}
      title={t('customers.adjust')}
      text={t('customers.adjust_text', {
        email: customer.email,
        balance: formatAmount(customer.balance),
      })}
      fields={[
        {
          name: 'amount',
          about: /^E_(AMOUNT|BALANCE)/,
          label: t('customers.adjust_amount'),
          kind: 'decimal',
          fault: needed(t('payments_desk.amount_missing')),
        },
        reasonField(),
      ]}
      submit={async ({ amount = '', reason = '' }) => {
        const what = `${amount} ${reason}`;
        if (sent.current.what !== what) sent.current = { what, key: idempotencyKey() };
        await call('POST /account/:accountId/adjustment', {
          params: { accountId: customer._id },
          headers: { 'idempotency-key': sent.current.key },
          body: { amount, reason },
        });
        return { message: t('customers.adjusted') };
      }}
    />
  );
};

export const SuspendDialog = ({ customer, onClose }: CustomerDialogProps) => (
  <FieldsDialog
    opened
    destructive
    onClose={onClose}
    title={t('customers.suspend')}
    text={t('customers.suspend_text', { email: customer.email })}
    fields={[reasonField()]}
    submit={({ reason = '' }) =>
      call('POST /admin/accounts/:accountId/suspension', {
        params: { accountId: customer._id },
        body: { reason },
      })
    }
  />
);

export const RestoreDialog = ({ customer, onClose }: CustomerDialogProps) => {
  const restore = useSave(() =>
    call('DELETE /admin/accounts/:accountId/suspension', { params: { accountId: customer._id } }),
  );
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      onConfirm={async () => {
        await restore.mutateAsync(undefined).catch(() => {});
        onClose();
      }}
      title={t('customers.restore')}
      cancel={t('layout.cancel')}
      confirm={t('customers.restore')}
      close={t('layout.close')}
    >
      <p>{t('customers.restore_text', { email: customer.email })}</p>
    </ConfirmDialog>
  );
};

const numberOrNothing = (typed: string) =>
  !/^(\d{1,7}(\.\d{1,2})?)?$/.test(typed) && t('customers.number_invalid');
const numberOf = (typed = ''): number | null => (typed === '' ? null : Number(typed));

export const LimitsDialog = ({ customer, onClose }: CustomerDialogProps) => (
  <FieldsDialog
    opened
    onClose={onClose}
    title={t('customers.limits')}
    text={t('customers.limits_text')}
    fields={[
      {
        name: 'spend',
        label: `${t('customers.limit')} (USD)`,
        kind: 'decimal',
        initial: String(customer.spendPerDay ?? ''),
        fault: numberOrNothing,
      },
      {
        name: 'countries',
        label: t('customers.countries'),
        kind: 'decimal',
        initial: String(customer.newCountriesPerDay ?? ''),
        fault: numberOrNothing,
      },
    ]}
    submit={async ({ spend, countries }) => {
      await call('PUT /admin/accounts/:accountId/limits', {
        params: { accountId: customer._id },
        body: { spendPerDay: numberOf(spend), newCountriesPerDay: numberOf(countries) },
      });
      return { message: t('customers.limits_changed') };
    }}
  />
);

/** The password is optional: with it, things can also be changed. */
export const ViewDialog = ({ customer, onClose }: CustomerDialogProps) => (
  <FieldsDialog
    opened
    onClose={onClose}
    title={t('customers.view')}
    text={t('customers.view_text', { email: customer.email, minutes: VIEW_MINUTES })}
    fields={[
      reasonField(),
      {
        name: 'password',
        about: /^E_PASSWORD/,
        label: t('customers.view_password'),
        kind: 'password',
        fault: anything,
      },
    ]}
    submit={async ({ reason = '', password = '' }) => {
      const { token, email } = await call('POST /admin/accounts/:accountId/view', {
        params: { accountId: customer._id },
        body: { reason, ...(password && { password }) },
      });
      startView({ token, email, accountId: customer._id, reason });
      return undefined;
    }}
  />
);

export const InviteDialog = ({ opened, onClose }: { opened: boolean; onClose: () => void }) => (
  <FieldsDialog
    opened={opened}
    onClose={onClose}
    title={t('customers.invite')}
    text={t('customers.invite_text')}
    fields={[
      { name: 'email', about: /^E_EMAIL/, label: t('guest.email'), fault: needed(t('guest.email_invalid')) },
    ]}
    submit={async ({ email = '' }) => {
      await call('POST /admin/invitations', { body: { email } });
      return { message: t('customers.invited') };
    }}
  />
);
