import { t } from '../../ground/i18n/translate.ts';
import { anyOf } from '../../ground/ui/any-of.ts';
import type { SearchField } from '../../ground/ui/forms/search-form.tsx';

const STATUSES = ['PENDING', 'SUCCESS', 'FAILED'] as const;
const TYPES = ['TOP_UP', 'AUTO_TOP_UP', 'REFUND', 'DISPUTE'] as const;

export const paymentSearch = (): SearchField[] => [
  { name: 'email', label: t('guest.email') },
  { name: 'last4', label: t('payments_desk.last4'), inputMode: 'numeric', maxLength: 4 },
  { name: 'amount', label: t('payments_desk.amount'), inputMode: 'decimal' },
  { name: 'ref', label: t('payments_desk.ref') },
  { name: 'dateFrom', label: t('ledger.from'), isDay: true },
  { name: 'dateTo', label: t('ledger.to'), isDay: true },
  {
    name: 'status',
    label: t('messages.status'),
    options: anyOf(t('ledger.any_kind'), STATUSES, (value) => t(`payment.status.${value}`)),
  },
  {
    name: 'type',
    label: t('ledger.kind'),
    options: anyOf(t('ledger.any_kind'), TYPES, (value) => t(`payment.type.${value}`)),
  },
  {
    name: 'unsettled',
    label: t('payments_desk.unsettled'),
    options: anyOf(t('ledger.any_kind'), ['true'], () => t('log.yes')),
  },
];
