import type { Upload } from '../../../contract/traffic/uploads.ts';
import { t } from '../../ground/i18n/translate.ts';
import type { Column } from '../../ground/ui/data-list/column.ts';
import { DataList } from '../../ground/ui/data-list/data-list.tsx';

type Refusal = Upload['refusals'][number];

const COLUMNS: Column<Refusal>[] = [
  {
    id: 'row',
    label: () => t('send.check.row'),
    cell: ({ row }) => row,
    width: 3.5,
    kind: 'number',
    line: 1,
  },
  {
    id: 'column',
    label: () => t('send.check.column'),
    cell: ({ column }) => column,
    width: 7,
    line: 1,
  },
  {
    id: 'reason',
    label: () => t('send.reason'),
    cell: ({ message }) => <span title={message}>{message}</span>,
    width: 12,
    grow: 1,
    line: 2,
  },
];

/** The rows of a file that can't be sent, one by one. */
export const RefusalList = ({ refusals, label }: { refusals: Refusal[]; label: string }) => (
  <DataList
    name="refusals"
    label={label}
    columns={COLUMNS}
    rows={refusals}
    rowId={({ row }) => String(row)}
    empty=""
  />
);
