import { Button } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useState } from 'react';
import type { BatchId } from '../../../contract/traffic/messages.ts';
import type { Upload } from '../../../contract/traffic/uploads.ts';
import { call } from '../../ground/api/call.ts';
import { t } from '../../ground/i18n/translate.ts';
import { toastFailure } from '../../ground/ui/feedback/toast.ts';

/** A file may have a million rows. */
const CHECK_TIMEOUT_MS = 10 * 60_000;

export interface ResendProps {
  batchId: BatchId;
  /** Shows what was checked, with its price; nothing is sent before the reader agrees. */
  onChecked: (checked: Upload) => void;
}

/** Checks and prices what failed, as if it were a new file. */
export const ResendFailed = ({ batchId, onChecked }: ResendProps) => {
  const [checking, setChecking] = useState(false);
  const check = async () => {
    setChecking(true);
    try {
      onChecked(
        await call('POST /batches/:batchId/resend', { params: { batchId }, timeoutMs: CHECK_TIMEOUT_MS }),
      );
    } catch (error) {
      toastFailure(error instanceof Error ? error.message : String(error));
    } finally {
      setChecking(false);
    }
  };
  return (
    <Button
      size="md"
      loading={checking}
      leftSection={<IconRefresh size={18} aria-hidden="true" />}
      onClick={() => void check()}
    >
      {t('batches.resend')}
    </Button>
  );
};
