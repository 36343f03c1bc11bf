import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { PaymentFilter } from '../../../contract/office/payments.ts';
import { t } from '../../ground/i18n/translate.ts';
import { DataList } from '../../ground/ui/data-list/data-list.tsx';
import { SearchForm } from '../../ground/ui/forms/search-form.tsx';
import { Panel } from '../../ground/ui/layout/panel.tsx';
import { amountText, PAYMENT_COLUMNS } from './payment-columns.tsx';
import { readPaymentFilter } from './payment-filter.ts';
import { PaymentTimeline } from './payment-story.tsx';
import { allPaymentsQuery, type FoundPayment } from './payments-queries.ts';
import { paymentSearch } from './search-fields.ts';

interface PaymentsDeskProps {
  filter: PaymentFilter;
  onFilter: (filter: PaymentFilter) => void;
}

const idOf = ({ _id }: FoundPayment): string => _id;

/** Payments of any account: found, told from beginning to end, compared with the provider and given back. */
export const PaymentsDesk = ({ filter, onFilter }: PaymentsDeskProps) => {
  const found = useInfiniteQuery({
    ...allPaymentsQuery(filter),
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
  });
  const payments = useMemo(() => found.data?.pages.flatMap((page) => page.payments) ?? [], [found.data]);
  return (
    <Panel title={t('payments_desk.search')}>
      <SearchForm
        key={JSON.stringify(filter)}
        label={t('payments_desk.search')}
        fields={paymentSearch()}
        filter={filter}
        onSearch={(draft) => onFilter(readPaymentFilter(draft))}
      />
      <DataList
        name="admin-payments"
        label={t('payments_desk.title')}
        columns={PAYMENT_COLUMNS}
        rows={payments}
        rowId={idOf}
        query={found}
        failed={t('payments_desk.failed')}
        empty={t('payments_desk.none')}
        panel={{
          title: (payment) => amountText(payment, payment.amount),
          content: (payment) => <PaymentTimeline key={payment._id} found={payment} />,
        }}
      />
    </Panel>
  );
};
