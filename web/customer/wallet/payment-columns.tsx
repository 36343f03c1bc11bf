import { Button } from '@mantine/core';
import { IconFileDownload } from '@tabler/icons-react';
import { useState } from 'react';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import { download } from '../../ground/api/download.ts';
import { formatAmount, formatDateTime, formatLeaf } from '../../ground/i18n/format.ts';
import { t } from '../../ground/i18n/translate.ts';
import type { Column } from '../../ground/ui/data-list/column.ts';
import { toastFailure } from '../../ground/ui/feedback/toast.ts';
import { Facts } from '../../ground/ui/layout/facts.tsx';
import { Tag, type Tone } from '../../ground/ui/tag.tsx';
import classes from './payment-columns.module.css';
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
      size="compact-sm"
      leftSection={<IconFileDownload size={16} aria-hidden="true" />}
      loading={loading}
      onClick={save}
      aria-label={t('payment.receipt_of', { date: formatDateTime(payment.createdAt) })}
    >
      {t('payment.receipt')}
    </Button>
  );
};

interface PaymentActs {
  accountId: AccountId;
  /** Goes on with one that is pending. */
  onResume: (payment: Payment) => void;
}

const PaymentAction = ({ accountId, payment, onResume }: PaymentActs & { payment: Payment }) => {
  if (!isTopUp(payment) || payment.status === 'FAILED') return null;
  if (payment.status === 'SUCCESS') return <ReceiptButton accountId={accountId} payment={payment} />;
  return (
    <Button variant="default" size="compact-sm" onClick={() => onResume(payment)}>
      {payment.clientSecret === undefined ? t('payment.check') : t('payment.confirm')}
    </Button>
  );
};

/** The month and the day of a payment. */
const Leaf = ({ payment: { createdAt } }: { payment: Payment }) => {
  const { month, day } = formatLeaf(createdAt);
  return (
    <time className={classes.leaf} dateTime={createdAt} title={formatDateTime(createdAt)}>
      <span className={classes.month}>{month}</span>
      {day}
    </time>
  );
};

const Amount = ({ payment: { currency, amount } }: { payment: Payment }) => (
  <span className={classes.amount}>
    {currency} {formatAmount(amount)}
  </span>
);

const Status = ({ payment: { status } }: { payment: Payment }) => (
  <Tag tone={TONES[status]}>{t(`payment.status.${status}`)}</Tag>
);

const Type = ({ payment: { type } }: { payment: Payment }) => (
  <Tag tone="plain">{t(`payment.type.${type}`)}</Tag>
);

export const paymentColumns = (acts: PaymentActs): Column<Payment>[] => [
  {
    id: 'date',
    label: () => t('ledger.time'),
    cell: (payment) => <Leaf payment={payment} />,
    width: 4.5,
    line: 1,
  },
  {
    id: 'amount',
    label: () => t('payments_desk.amount'),
    cell: (payment) => <Amount payment={payment} />,
    width: 7.5,
    kind: 'number',
    line: 1,
  },
  {
    id: 'status',
    label: () => t('messages.status'),
    cell: (payment) => <Status payment={payment} />,
    width: 6.5,
    line: 1,
  },
  {
    id: 'type',
    label: () => t('ledger.kind'),
    cell: (payment) => <Type payment={payment} />,
    width: 8.5,
    line: 2,
  },
  {
    id: 'description',
    label: () => t('ledger.description'),
    cell: ({ description, status, reason }) => (
      <>
        {description}
        {status === 'FAILED' && (
          <span className={classes.reason}>
            {' '}
            <b>{t('payment.reason')}</b> {reason}
          </span>
        )}
      </>
    ),
    width: 8,
    grow: 1,
    line: 2,
  },
  {
    id: 'actions',
    label: () => t('lists.actions'),
    cell: (payment) => <PaymentAction payment={payment} {...acts} />,
    width: 8.5,
    kind: 'actions',
    line: 2,
  },
];

/** What the panel beside the list says of a payment. */
export const PaymentFacts = ({ payment }: { payment: Payment }) => (
  <Facts
    facts={[
      {
        label: t('ledger.time'),
        value: <time dateTime={payment.createdAt}>{formatDateTime(payment.createdAt)}</time>,
      },
      { label: t('payments_desk.amount'), value: <Amount payment={payment} /> },
      {
        label: 'USD',
        value: payment.currency !== 'USD' && t('payment.in_usd', { amount: formatAmount(payment.amountUsd) }),
      },
      { label: t('messages.status'), value: <Status payment={payment} /> },
      { label: t('ledger.kind'), value: <Type payment={payment} /> },
      { label: t('payment.reason'), value: payment.status === 'FAILED' && payment.reason },
      { label: t('ledger.description'), value: payment.description },
    ]}
  />
);
