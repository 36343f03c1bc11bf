import { Button } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { MessageId } from '../../../../contract/traffic/messages.ts';
import { t } from '../../../ground/i18n/translate.ts';
import { copyText } from '../../../ground/ui/copy-text.ts';
import type { BulkAction } from '../bulk/bulk-query.ts';
import type { bulkSearch } from '../search/list-query.ts';

/** Only admins load it. */
const BulkActions = lazy(() =>
  import('../bulk/bulk-actions.tsx').then((module) => ({ default: module.BulkActions })),
);

interface SelectedActsProps {
  ids: MessageId[];
  /** How many match, if all are selected that do. */
  every: number | undefined;
  search: ReturnType<typeof bulkSearch>;
  onBegin: (action: BulkAction) => void;
}

/** What admins can do with the selected messages. */
export const SelectedActs = ({ ids, every, search, onBegin }: SelectedActsProps) => (
  <>
    <Suspense>
      <BulkActions
        target={every === undefined ? { ids } : { search }}
        count={every ?? ids.length}
        onBegin={onBegin}
      />
    </Suspense>
    {every === undefined && (
      <Button size="xs" variant="default" onClick={() => copyText(ids.join('\n'))}>
        {t('messages.copy_ids')}
      </Button>
    )}
  </>
);
