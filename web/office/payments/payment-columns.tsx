import { formatAmount, formatDateTime } from '../../ground/i18n/format.ts';
import { t } from '../../ground/i18n/translate.ts';
import type { Column } from '../../ground/ui/data-list/column.ts';
import { Tag, type Tone } from '../../ground/ui/tag.tsx';
import type { FoundPayment } from './payments-queries.ts';

const TONES: Record<FoundPayment['status'], Tone> = { SUCCESS: 'good', FAILED: 'bad', PENDING: 'wait' };

export const amountText = ({ currency }: FoundPayment, amount: number): string =>
  `${currency} ${formatAmount(amount)}`;

export const Status = ({ payment: { status } }: { payment: FoundPayment }) => (
  <Tag tone={TONES[status]}>{t(`payment.status.${status}`)}</Tag>
);

export const Kind = ({ payment: { type } }: { payment: FoundPayment }) => (
  <Tag tone="plain">{t(`payment.type.${type}`)}</Tag>
);

export const PAYMENT_COLUMNS: Column<FoundPayment>[] = [
  {
    id: 'time',
    label: () => t('ledger.time'),
    cell: ({ createdAt }) => <time dateTime={createdAt}>{formatDateTime(createdAt)}</time>,
    width: 10,
    line: 2,
  },
  {
    id: 'email',
    label: () => t('guest.email'),
    cell: ({ email }) => email,
    width: 10,
    grow: 1,
    line: 1,
  },
  {
    id: 'amount',
    label: () => t('payments_desk.amount'),
    cell: (payment) => amountText(payment, payment.amount),
    width: 8,
    kind: 'number',
    line: 1,
  },
  {
    id: 'refunded',
    label: () => t('payments_desk.refunded'),
    cell: (payment) => (payment.refunded > 0 ? amountText(payment, payment.refunded) : ''),
    width: 8,
    kind: 'number',
  },
  {
    id: 'status',
    label: () => t('messages.status'),
    cell: (payment) => <Status payment={payment} />,
    width: 6.5,
    line: 1,
  },
  {
    id: 'kind',
    label: () => t('ledger.kind'),
    cell: (payment) => <Kind payment={payment} />,
    width: 8.5,
    line: 2,
  },
  {
    id: 'card',
    label: () => t('payments_desk.card'),
    cell: ({ card }) => `•••• ${card.last4}`,
    width: 6,
    line: 2,
  },
];
