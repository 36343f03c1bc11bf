import type { AccountState } from '../../../contract/customer/customer-states.ts';
import { formatAmount, formatCount, formatDateTime } from '../../ground/i18n/format.ts';
import { t } from '../../ground/i18n/translate.ts';
import type { Column } from '../../ground/ui/data-list/column.ts';
import { Tag, type Tone } from '../../ground/ui/tag.tsx';
import type { Customer } from './customers-query.ts';

const TONES: Record<AccountState, Tone> = {
  active: 'good',
  unapproved: 'wait',
  unactivated: 'wait',
  suspended: 'bad',
  closed: 'plain',
};

export const State = ({ state }: Pick<Customer, 'state'>) => (
  <Tag tone={TONES[state]}>{t(`customers.state.${state}`)}</Tag>
);

export const CUSTOMER_COLUMNS: Column<Customer>[] = [
  {
    id: 'email',
    label: () => t('guest.email'),
    cell: ({ email, admin }) => (
      <>
        {email} {admin && <Tag tone="brass">{t('profile.admin')}</Tag>}
      </>
    ),
    width: 12,
    grow: 1,
    line: 1,
  },
  {
    id: 'state',
    label: () => t('customers.state'),
    cell: ({ state }) => <State state={state} />,
    width: 7.5,
    line: 1,
  },
  {
    id: 'balance',
    label: () => t('profile.balance'),
    cell: ({ balance }) => formatAmount(balance),
    width: 7,
    kind: 'number',
    line: 2,
  },
  {
    id: 'spent_today',
    label: () => t('customers.spent_today'),
    cell: ({ spentToday }) => formatAmount(spentToday),
    width: 7,
    kind: 'number',
  },
  {
    id: 'spent_30',
    label: () => t('customers.spent_30'),
    cell: ({ spent30Days }) => formatAmount(spent30Days),
    width: 8.5,
    kind: 'number',
  },
  {
    id: 'limit',
    label: () => t('customers.limit'),
    cell: ({ spendPerDay }) =>
      spendPerDay === null ? t('customers.limit_default') : formatAmount(spendPerDay),
    width: 7,
    kind: 'number',
  },
  {
    id: 'senders',
    label: () => t('customers.senders'),
    cell: ({ senders }) => formatCount(senders),
    width: 5,
    kind: 'number',
  },
  {
    id: 'created',
    label: () => t('messages.created'),
    cell: ({ createdAt }) => <time dateTime={createdAt}>{formatDateTime(createdAt)}</time>,
    width: 10,
    choice: 'hidden',
  },
];
