import { formatDateTime } from '../../ground/i18n/format.ts';
import { t } from '../../ground/i18n/translate.ts';
import type { Column } from '../../ground/ui/data-list/column.ts';
import { Tag, type Tone } from '../../ground/ui/tag.tsx';
import type { AuditEntry } from './audit-query.ts';

const TONES: Record<AuditEntry['outcome'], Tone> = {
  read: 'plain',
  done: 'good',
  refused: 'wait',
  failed: 'bad',
  open: 'bad',
};

export const AuditOutcome = ({ outcome }: Pick<AuditEntry, 'outcome'>) => (
  <Tag tone={TONES[outcome]}>{t(`audit.outcome.${outcome}`)}</Tag>
);

export const AUDIT_COLUMNS: Column<AuditEntry>[] = [
  {
    id: 'time',
    label: () => t('ledger.time'),
    cell: ({ at }) => <time dateTime={at}>{formatDateTime(at)}</time>,
    width: 10,
    line: 2,
  },
  {
    id: 'who',
    label: () => t('audit.who'),
    cell: ({ admin }) => admin.email || admin._id,
    width: 10,
    grow: 1,
    line: 2,
  },
  {
    id: 'call',
    label: () => t('audit.what'),
    cell: ({ call }) => <code>{call}</code>,
    width: 14,
    grow: 2,
    line: 1,
  },
  {
    id: 'outcome',
    label: () => t('messages.status'),
    cell: ({ outcome }) => <AuditOutcome outcome={outcome} />,
    width: 7,
    line: 1,
  },
  {
    id: 'account',
    label: () => t('messages.account'),
    cell: ({ account }) => account?.email ?? '',
    width: 8,
    grow: 1,
  },
  { id: 'subject', label: () => t('audit.subject'), cell: ({ subject }) => subject, width: 8, grow: 1 },
];
