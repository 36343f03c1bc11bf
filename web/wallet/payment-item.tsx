import { Button } from '@mantine/core';
import { IconFileDownload } from '@tabler/icons-react';
import { useState } from 'react';
import type { AccountId } from '../../contract/accounts.ts';
import { download } from '../api/download.ts';
import { formatAmount, formatDateTime, formatLeaf } from '../i18n/format.ts';
import { t } from '../i18n/translate.ts';
import { Tag, type Tone } from '../ui/tag.tsx';
import { toastFailure } from '../ui/toast.ts';
import classes from './payment-history.module.css';
import type { Payment } from './wallet-queries.ts';

const TONES: Record<Payment['status'], Tone> = { SUCCESS: 'good', FAILED: 'bad', PENDING: 'wait' };

const isTopUp = ({ type }: Payment) => type === 'TOP_UP' || type === 'AUTO_TOP_UP';

const ReceiptButton = ({ accountId, payment }: { accountId: AccountId; payment: Payment }) => {
  const [loading, setLoading] = useState(false);
  const save = async () => {
    setLoading(true);
    try {
      await download(
        '/account/:accountId/payments/:paymentId/receipt.pdf',
        { params: { accountId, paymentId: payment._id } },
        `receipt-${payment._id.slice(0, 8)}.pdf`,
      );
    } catch (error) {
      toastFailure(error instanceof Error ? error.message : String(error));
    } finally {
      setLoading(false);
    }
  };
  return (
    <Button
      variant="default"
      size="xs"
      leftSection={<IconFileDownload size={16} aria-hidden="true" />}
      loading={loading}
      onClick={save}
      aria-label={t('payment.receipt_of', { date: formatDateTime(payment.createdAt) })}
    >
      {t('payment.receipt')}
    </Button>
  );
};

interface PaymentItemProps {
  accountId: AccountId;
  payment: Payment;
  /** Goes on with one that is pending. */
  onResume: (payment: Payment) => void;
}

const PaymentAction = ({ accountId, payment, onResume }: PaymentItemProps) => {
  if (!isTopUp(payment) || payment.status === 'FAILED') return null;
  if (payment.status === 'SUCCESS') return <ReceiptButton accountId={accountId} payment={payment} />;
  return (
    <Button variant="default" size="xs" onClick={() => onResume(payment)}>
      {payment.clientSecret === undefined ? t('payment.check') : t('payment.confirm')}
    </Button>
  );
};

export const PaymentItem = (props: PaymentItemProps) => {
  const { payment } = props;
  const { month, day } = formatLeaf(payment.createdAt);
  return (
    <li className={classes.payment}>
      <span className={classes.leaf} aria-hidden="true">
        <span className={classes.month}>{month}</span>
        <span className={classes.day}>{day}</span>
      </span>
      <div className={classes.facts}>
        <p className={classes.line}>
          <span className={classes.amount}>
            {payment.currency} {formatAmount(payment.amount)}
          </span>
          <Tag tone={TONES[payment.status]}>{t(`payment.status.${payment.status}`)}</Tag>
          <Tag tone="plain">{t(`payment.type.${payment.type}`)}</Tag>
        </p>
        <p>{payment.description}</p>
        {payment.status === 'FAILED' && (
          <p className={classes.reason}>
            <b>{t('payment.reason')}</b> {payment.reason}
          </p>
        )}
        <p className={`${classes.line} ${classes.quiet}`}>
          <time dateTime={payment.createdAt}>{formatDateTime(payment.createdAt)}</time>
          {payment.currency !== 'USD' && (
            <span>{t('payment.in_usd', { amount: formatAmount(payment.amountUsd) })}</span>
          )}
        </p>
      </div>
      <div className={classes.actions}>
        <PaymentAction {...props} />
      </div>
    </li>
  );
};
