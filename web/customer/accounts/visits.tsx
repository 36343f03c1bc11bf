import { useQuery } from '@tanstack/react-query';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import { type Answer, call } from '../../ground/api/call.ts';
import { formatDateTime } from '../../ground/i18n/format.ts';
import { t } from '../../ground/i18n/translate.ts';
import type { Column } from '../../ground/ui/data-list/column.ts';
import { DataList } from '../../ground/ui/data-list/data-list.tsx';
import { NO_ROWS } from '../../ground/ui/data-list/no-rows.ts';
import { Panel } from '../../ground/ui/layout/panel.tsx';
import list from '../../ground/ui/list.module.css';

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
