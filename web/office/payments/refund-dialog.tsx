import { Button, Group } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useRef } from 'react';
import { ApiError } from '../../ground/api/api-error.ts';
import { call } from '../../ground/api/call.ts';
import { idempotencyKey } from '../../ground/api/idempotency-key.ts';
import { queryClient } from '../../ground/api/query-client.ts';
import { formatAmount } from '../../ground/i18n/format.ts';
import { t } from '../../ground/i18n/translate.ts';
import { toastFailure, toastSuccess } from '../../ground/ui/feedback/toast.ts';
import { Dialog } from '../../ground/ui/forms/dialog.tsx';
import fields from '../../ground/ui/forms/form-fields.module.css';
import { PasswordField, TextField } from '../../ground/ui/forms/form-fields.tsx';
import { amountText } from './payment-columns.tsx';
import type { FoundPayment } from './payments-queries.ts';

interface RefundDialogProps {
  payment: FoundPayment;
  opened: boolean;
  onClose: () => void;
}

interface Typed {
  amount: string;
  reason: string;
  password: string;
}

/** Beside which field a refusal is told. */
const fieldOf = (error: unknown): keyof Typed | undefined => {
  if (!(error instanceof ApiError)) return undefined;
  if (error.code.startsWith('E_PASSWORD')) return 'password';
  return /^E_(AMOUNT|REFUND_(TOO_MUCH|SPENT))/.test(error.code) ? 'amount' : undefined;
};

const RefundForm = ({ payment, onClose }: Omit<RefundDialogProps, 'opened'>) => {
  // The same refund, however often it is sent from this dialog.
  const key = useRef(idempotencyKey());
  const form = useForm<Typed>({
    initialValues: { amount: payment.left.toFixed(2), reason: '', password: '' },
    validate: {
      amount: (typed) => typed.trim() === '' && t('payments_desk.amount_missing'),
      reason: (typed) => typed.trim() === '' && t('payments_desk.reason_missing'),
      password: (typed) => typed === '' && t('payments_desk.password_missing'),
    },
  });
  const refund = async ({ amount, reason, password }: Typed) => {
    // Another amount is another refund.
    if (form.isDirty('amount')) key.current = idempotencyKey();
    form.resetDirty();
    try {
      const { message } = await call('POST /admin/payments/:paymentId/refund', {
        params: { paymentId: payment._id },
        headers: { 'idempotency-key': key.current },
        body: { amount: amount.trim(), reason: reason.trim(), password },
      });
      onClose();
      toastSuccess(message);
      await queryClient.invalidateQueries();
    } catch (error) {
      const field = fieldOf(error);
      if (field) form.setFieldError(field, (error as Error).message);
      else toastFailure(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <form
      noValidate
      className={fields.form}
      aria-label={t('payments_desk.refund')}
      onSubmit={form.onSubmit(refund)}
    >
      <p>
        {t('payments_desk.refund_text', { email: payment.email, left: amountText(payment, payment.left) })}
      </p>
      <TextField
        label={`${t('payments_desk.amount')} (${payment.currency})`}
        description={t('payments_desk.at_most', { amount: formatAmount(payment.left) })}
        inputMode="decimal"
        autoComplete="off"
        data-autofocus
        {...form.getInputProps('amount')}
      />
      <TextField
        label={t('payment.reason')}
        maxLength={500}
        autoComplete="off"
        {...form.getInputProps('reason')}
      />
      <PasswordField
        label={t('guest.password')}
        show={t('guest.show_password')}
        hide={t('guest.hide_password')}
        autoComplete="current-password"
        {...form.getInputProps('password')}
      />
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose} disabled={form.submitting}>
          {t('layout.cancel')}
        </Button>
        <Button type="submit" color="red.9" loading={form.submitting}>
          {t('payments_desk.refund')}
        </Button>
      </Group>
    </form>
  );
};

/** Gives money back to a card, wholly or in part; the password is asked for each time. */
export const RefundDialog = ({ opened, onClose, payment }: RefundDialogProps) => (
  <Dialog opened={opened} onClose={onClose} title={t('payments_desk.refund')} close={t('layout.close')}>
    <RefundForm payment={payment} onClose={onClose} />
  </Dialog>
);
