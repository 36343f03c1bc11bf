import { Button } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useMemo, useState } from 'react';
import { ACCOUNT_STATES } from '../../../contract/customer/customer-states.ts';
import { useMay } from '../../ground/api/use-may.ts';
import { formatAmount, formatCount, formatDateTime } from '../../ground/i18n/format.ts';
import { t } from '../../ground/i18n/translate.ts';
import { anyOf } from '../../ground/ui/any-of.ts';
import { DataList } from '../../ground/ui/data-list/data-list.tsx';
import { type SearchField, SearchForm } from '../../ground/ui/forms/search-form.tsx';
import { Facts } from '../../ground/ui/layout/facts.tsx';
import { Panel } from '../../ground/ui/layout/panel.tsx';
import { CustomerActions } from './customer-actions.tsx';
import { CUSTOMER_COLUMNS, State } from './customer-columns.tsx';
import { InviteDialog } from './customer-dialogs.tsx';
import { type CustomerFilter, readCustomerFilter } from './customer-filter.ts';
import { type Customer, customersQuery } from './customers-query.ts';

interface CustomersDeskProps {
  filter: CustomerFilter;
  onFilter: (filter: CustomerFilter) => void;
  /** What other rooms know of an account. */
  more: (customer: Customer) => ReactNode;
}

const idOf = ({ _id }: Customer): string => _id;

const searchFields = (): SearchField[] => [
  { name: 'keyword', label: t('customers.keyword') },
  {
    name: 'state',
    label: t('customers.state'),
    options: anyOf(t('customers.any_state'), ACCOUNT_STATES, (value) => t(`customers.state.${value}`)),
  },
  {
    name: 'webhook',
    label: t('customers.webhook'),
    options: anyOf(t('customers.any_state'), ['failing'], () => t('customers.webhook_failing')),
  },
];

interface CustomerPanelProps {
  /** As the list had it, which may no longer have it. */
  listed: Customer;
  children: ReactNode;
}

const CustomerPanel = ({ listed, children }: CustomerPanelProps) => {
  const may = useMay();
  const found = useInfiniteQuery(customersQuery({ keyword: listed._id }));
  const customer = found.data?.pages[0]?.accounts.find(({ _id }) => _id === listed._id) ?? listed;
  return (
    <>
      <CustomerActions customer={customer} />
      <Facts
        facts={[
          { label: t('customers.state'), value: <State state={customer.state} /> },
          {
            label: t('customers.since'),
            value: customer.suspendedAt && formatDateTime(customer.suspendedAt),
          },
          { label: t('payment.reason'), value: customer.suspendedReason },
          {
            label: t('customers.webhook_since'),
            value: customer.webhookFailingSince && formatDateTime(customer.webhookFailingSince),
          },
          { label: t('ledger.balance'), value: formatAmount(customer.balance) },
          { label: t('customers.spent_today'), value: `USD ${formatAmount(customer.spentToday)}` },
          { label: t('customers.spent_30'), value: `USD ${formatAmount(customer.spent30Days)}` },
          {
            label: t('customers.limit'),
            value:
              customer.spendPerDay === null
                ? t('customers.limit_default')
                : `USD ${formatAmount(customer.spendPerDay)}`,
          },
          {
            label: t('customers.countries'),
            value:
              customer.newCountriesPerDay === null
                ? t('customers.limit_default')
                : formatCount(customer.newCountriesPerDay),
          },
          { label: t('customers.senders'), value: formatCount(customer.senders) },
          { label: t('messages.created'), value: formatDateTime(customer.createdAt) },
          { label: 'ID', value: customer._id },
        ]}
      />
      {may('GET /account/:accountId/messages') && (
        <Link to="/dashboard/messages" search={{ filters: { accountId: customer._id } } as never}>
          {t('customers.messages')}
        </Link>
      )}
      {may('GET /admin/audit') && (
        <Link to="/dashboard/audit" search={{ accountId: customer._id }}>
          {t('customers.audit')}
        </Link>
      )}
      {children}
    </>
  );
};

/** All accounts: found, with their money, state and spending, and what can be done with each. */
export const CustomersDesk = ({ filter, onFilter, more }: CustomersDeskProps) => {
  const may = useMay();
  const [inviting, setInviting] = useState(false);
  const found = useInfiniteQuery({
    ...customersQuery(filter),
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
  });
  const customers = useMemo(() => found.data?.pages.flatMap((page) => page.accounts) ?? [], [found.data]);
  return (
    <Panel title={t('customers.search')}>
      <SearchForm
        key={JSON.stringify(filter)}
        label={t('customers.search')}
        fields={searchFields()}
        filter={{ ...filter }}
        onSearch={(draft) => onFilter(readCustomerFilter(draft))}
      />
      <DataList
        name="admin-accounts"
        label={t('customers.title')}
        columns={CUSTOMER_COLUMNS}
        rows={customers}
        rowId={idOf}
        query={found}
        failed={t('customers.failed')}
        empty={t('customers.none')}
        tools={
          may('POST /admin/invitations') && (
            <Button size="xs" variant="default" onClick={() => setInviting(true)}>
              {t('customers.invite')}
            </Button>
          )
        }
        panel={{
          title: ({ email }) => email,
          content: (customer) => (
            <CustomerPanel key={customer._id} listed={customer}>
              {more(customer)}
            </CustomerPanel>
          ),
        }}
      />
      <InviteDialog opened={inviting} onClose={() => setInviting(false)} />
    </Panel>
  );
};
