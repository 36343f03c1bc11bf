import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { memo, useId, useRef } from 'react';
import type { AccountId } from '../../../../contract/customer/accounts.ts';
import { formatCount } from '../../../ground/i18n/format.ts';
import { t } from '../../../ground/i18n/translate.ts';
import { LoadFailure } from '../../../ground/ui/feedback/load-failure.tsx';
import { ProgressBar } from '../../../ground/ui/feedback/progress-bar.tsx';
import classes from './export-messages.module.css';
import { isNewestFirst, type MessageFilters } from './message-filters.ts';
import { useExport } from './use-export.ts';

interface ExportMessagesProps {
  accountId: AccountId;
  /** The search that is shown, not what is being typed. */
  filters: MessageFilters;
  total: number;
}

/** Exports everything that the search found as one file of any size. */
export const ExportMessages = memo(({ accountId, filters, total }: ExportMessagesProps) => {
  const { exporting, fault, start, cancel } = useExport(accountId);
  const button = useRef<HTMLButtonElement>(null);
  const orderId = useId();
  const begin = () => void start(filters, total);
  const stop = () => {
    cancel();
    button.current?.focus();
  };
  // The button keeps the focus while it is disabled, so that the Tab key goes on to Cancel.
  const resting = exporting !== undefined || total === 0;
  // The file is always newest first, so the order is stated when the list is sorted differently.
  const otherwise = !isNewestFirst(filters);
  return (
    <>
      <Button
        ref={button}
        size="xs"
        variant="default"
        leftSection={<IconDownload size={15} aria-hidden="true" />}
        aria-disabled={resting}
        data-disabled={resting || undefined}
        title={t('messages.export_order')}
        aria-describedby={otherwise ? orderId : undefined}
        onClick={resting ? undefined : begin}
      >
        {t('messages.export')}
      </Button>
      {otherwise && (
        <span id={orderId} className={classes.order}>
          {t('messages.export_order')}
        </span>
      )}
      {exporting && (
        <div className={classes.progress}>
          <ProgressBar
            label={t('messages.exporting')}
            share={exporting.total > 0 ? exporting.rows / exporting.total : undefined}
          />
          <span className={classes.rows}>
            {t('messages.export_rows', {
              rows: formatCount(exporting.rows),
              total: formatCount(exporting.total),
            })}
          </span>
          <Button size="xs" variant="default" onClick={stop}>
            {t('messages.export_cancel')}
          </Button>
        </div>
      )}
      {fault !== undefined && (
        <div className={classes.fault}>
          <LoadFailure
            text={t('messages.export_failed')}
            reason={fault}
            tryAgain={t('layout.try_again')}
            onRetry={begin}
          />
        </div>
      )}
    </>
  );
});
