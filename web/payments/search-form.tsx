import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { PaymentFilter } from '../../contract/payments.ts';
import { t } from '../i18n/translate.ts';
import { DayFilter } from '../ui/day-field.tsx';
import lists from '../ui/list.module.css';
import { readPaymentFilter } from './payment-filter.ts';

interface SearchFormProps {
  filter: PaymentFilter;
  onSearch: (filter: PaymentFilter) => void;
}

const STATUSES = ['PENDING', 'SUCCESS', 'FAILED'] as const;
const TYPES = ['TOP_UP', 'AUTO_TOP_UP', 'REFUND', 'DISPUTE'] as const;

/** Applied by Search, so that an amount is not looked for while it is typed. */
export const SearchForm = ({ filter, onSearch }: SearchFormProps) => {
  const [draft, setDraft] = useState<PaymentFilter>(filter);
  const change = (part: PaymentFilter) => setDraft((before) => ({ ...before, ...part }));
  const text = (name: 'email' | 'last4' | 'amount' | 'ref') => ({
    value: draft[name] ?? '',
    autoComplete: 'off',
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) =>
      change({ [name]: currentTarget.value }),
  });
  return (
    <search aria-label={t('payments_desk.search')}>
      <form
        className={lists.filter}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          onSearch(readPaymentFilter(draft));
        }}
      >
        <TextInput label={t('guest.email')} {...text('email')} />
        <TextInput label={t('payments_desk.last4')} inputMode="numeric" maxLength={4} {...text('last4')} />
        <TextInput label={t('payments_desk.amount')} inputMode="decimal" {...text('amount')} />
        <TextInput label={t('payments_desk.ref')} {...text('ref')} />
        <DayFilter
          label={t('ledger.from')}
          pick={t('lists.pick_day', { label: t('ledger.from') })}
          value={draft.dateFrom}
          onChange={(dateFrom) => change({ dateFrom })}
        />
        <DayFilter
          label={t('ledger.to')}
          pick={t('lists.pick_day', { label: t('ledger.to') })}
          value={draft.dateTo}
          onChange={(dateTo) => change({ dateTo })}
        />
        <NativeSelect
          label={t('messages.status')}
          data={[
            { value: '', label: t('ledger.any_kind') },
            ...STATUSES.map((value) => ({ value, label: t(`payment.status.${value}`) })),
          ]}
          value={draft.status ?? ''}
          onChange={({ currentTarget }) =>
            change({ status: (currentTarget.value || undefined) as PaymentFilter['status'] })
          }
        />
        <NativeSelect
          label={t('ledger.kind')}
          data={[
            { value: '', label: t('ledger.any_kind') },
            ...TYPES.map((value) => ({ value, label: t(`payment.type.${value}`) })),
          ]}
          value={draft.type ?? ''}
          onChange={({ currentTarget }) =>
            change({ type: (currentTarget.value || undefined) as PaymentFilter['type'] })
          }
        />
        <div className={lists.tools}>
          <Button type="submit">{t('lists.search')}</Button>
          <Button
            variant="default"
            onClick={() => {
              setDraft({});
              onSearch({});
            }}
          >
            {t('messages.clear')}
          </Button>
        </div>
      </form>
    </search>
  );
};
