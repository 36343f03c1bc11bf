import { Button } from '@mantine/core';
import type { Answer } from '../../../ground/api/call.ts';
import { formatCount } from '../../../ground/i18n/format.ts';
import { t } from '../../../ground/i18n/translate.ts';
import type { Column } from '../../../ground/ui/data-list/column.ts';

type Score = Answer<'GET /job/:jobId/transferPreview'>['phoneScores'][number];

/** What waits there is scored in steps that are no figure for a reader. */
const scoreText = ({ score, sendsNow }: Score): string => {
  if (score === null) return '–';
  return sendsNow ? formatCount(score) : t('transfer.not_now');
};

/** They fit the wide dialog where the window has 1,280 px. */
export const transferColumns = (onTransfer: (phoneName: string) => void): Column<Score>[] => [
  {
    id: 'phone',
    label: () => t('transfer.phone'),
    cell: ({ phoneName }) => <span title={phoneName}>{phoneName}</span>,
    width: 6,
    line: 1,
  },
  {
    id: 'why',
    label: () => t('transfer.why'),
    cell: ({ why }) => <span title={why}>{why}</span>,
    width: 9.5,
    grow: 1,
    line: 2,
  },
  {
    id: 'score',
    label: () => t('transfer.score'),
    cell: scoreText,
    width: 4.5,
    kind: 'number',
    line: 1,
  },
  {
    id: 'weight',
    label: () => t('transfer.weight'),
    cell: ({ weight }) => weight,
    width: 4.5,
    kind: 'number',
  },
  {
    id: 'rate',
    label: () => t('transfer.rate'),
    cell: ({ transferJobRate }) => transferJobRate,
    width: 8.5,
    kind: 'number',
  },
  {
    id: 'days',
    label: () => t('transfer.days'),
    cell: ({ startedDays }) => formatCount(startedDays),
    width: 3.5,
    kind: 'number',
  },
  {
    id: 'sticky',
    label: () => t('transfer.sticky'),
    cell: ({ stickyness }) => (stickyness > 0 ? '✓' : ''),
    width: 8,
  },
  {
    id: 'sent',
    label: () => t('transfer.sent'),
    cell: ({ sentCount, pendingCount, idealVolume }) =>
      `${formatCount(sentCount)} + ${formatCount(pendingCount)} / ${formatCount(idealVolume)}`,
    width: 10,
    line: 2,
  },
  {
    id: 'act',
    label: () => t('transfer.here'),
    kind: 'actions',
    cell: ({ phoneName, score }) => (
      <Button
        size="compact-xs"
        variant="default"
        disabled={score === null}
        onClick={() => onTransfer(phoneName)}
      >
        {t('transfer.here')}
      </Button>
    ),
    width: 6.5,
    line: 1,
  },
];
