import type { RetentionRuleName } from '../../../contract/office/retention.ts';
import { formatDateTime } from '../../ground/i18n/format.ts';
import { t } from '../../ground/i18n/translate.ts';
import type { Column } from '../../ground/ui/data-list/column.ts';
import { DataList } from '../../ground/ui/data-list/data-list.tsx';
import { runText } from './period-text.ts';
import type { Retention } from './retention-query.ts';

type Run = Retention['log'][number];

const Moment = ({ at }: { at: string }) => <time dateTime={at}>{formatDateTime(at)}</time>;

const COLUMNS: Column<Run>[] = [
  {
    id: 'when',
    label: () => t('retention.when'),
    cell: ({ ranAt }) => <Moment at={ranAt} />,
    width: 11.5,
    line: 1,
  },
  {
    id: 'rule',
    label: () => t('retention.rule'),
    cell: ({ rule }) => <span title={rule}>{t(`retention.name.${rule as RetentionRuleName}`)}</span>,
    width: 10,
    grow: 1,
    line: 2,
  },
  {
    id: 'outcome',
    label: () => t('retention.outcome'),
    cell: runText,
    width: 10,
    grow: 1,
    line: 2,
  },
  {
    id: 'cutoff',
    label: () => t('retention.cutoff'),
    cell: ({ cutoff }) => <Moment at={cutoff} />,
    width: 11.5,
  },
];

export const LogTable = ({ log }: Pick<Retention, 'log'>) => (
  <DataList
    name="retention-log"
    label={t('retention.log')}
    columns={COLUMNS}
    rows={log}
    rowId={({ rule, ranAt }) => `${rule} ${ranAt}`}
    empty={t('retention.log_empty')}
  />
);
