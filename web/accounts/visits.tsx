import { useQuery } from '@tanstack/react-query';
import type { AccountId } from '../../contract/accounts.ts';
import { type Answer, call } from '../api/call.ts';
import { formatDateTime } from '../i18n/format.ts';
import { t } from '../i18n/translate.ts';
import type { Column } from '../ui/data-list/column.ts';
import { DataList } from '../ui/data-list/data-list.tsx';
import { NO_ROWS } from '../ui/data-list/no-rows.ts';
import list from '../ui/list.module.css';
import { Panel } from '../ui/panel.tsx';

type Visit = Answer<'GET /account/:accountId/visits'>['visits'][number];

const COLUMNS: Column<Visit>[] = [
  {
    id: 'time',
    label: () => t('ledger.time'),
    cell: ({ at }) => <time dateTime={at}>{formatDateTime(at)}</time>,
    width: 10,
    line: 2,
  },
  {
    id: 'reason',
    label: () => t('payment.reason'),
    cell: ({ reason }) => reason,
    width: 10,
    grow: 1,
    line: 1,
  },
  {
    id: 'kind',
    label: () => t('ledger.kind'),
    cell: ({ mayChange }) => (mayChange ? t('visits.changes') : t('visits.reads')),
    width: 10,
    line: 2,
  },
];

/** The customer's own log of who saw the account in their place. */
export const Visits = ({ accountId }: { accountId: AccountId }) => {
  const visits = useQuery({
    queryKey: ['visits', accountId],
    queryFn: () => call('GET /account/:accountId/visits', { params: { accountId } }),
  });
  return (
    <Panel title={t('visits.title')}>
      <p className={list.hint}>{t('visits.hint')}</p>
      <DataList
        name="visits"
        label={t('visits.title')}
        columns={COLUMNS}
        rows={visits.data?.visits ?? NO_ROWS}
        rowId={({ at }) => at}
        query={visits}
        failed={t('visits.failed')}
        empty={t('visits.none')}
        expected={1}
      />
    </Panel>
  );
};
