import { Button } from '@mantine/core';
import { useState } from 'react';
import type { BatchId, MessageId } from '../../../contract/traffic/messages.ts';
import { call } from '../api/call.ts';
import { queryClient } from '../api/query-client.ts';
import { refreshBalance } from '../api/refresh-balance.ts';
import { formatCount, formatExactAmount } from '../i18n/format.ts';
import { t } from '../i18n/translate.ts';
import { toastFailure, toastSuccess } from '../ui/feedback/toast.ts';
import { ConfirmDialog } from '../ui/forms/confirm-dialog.tsx';

type CancelWaitingProps = { batchId: BatchId } | { messageId: MessageId };

const cancel = async (which: CancelWaitingProps): Promise<string> => {
  if ('messageId' in which) {
    const { messageId } = which;
    const { refunded } = await call('POST /messages/:messageId/cancel', { params: { messageId } });
    return t('send.cancel.done', { refund: formatExactAmount(refunded) });
  }
  const { batchId } = which;
  const { cancelled, refunded } = await call('POST /batches/:batchId/cancel', { params: { batchId } });
  return t('send.cancel.done_batch', {
    cancelled: formatCount(cancelled),
    refund: formatExactAmount(refunded),
  });
};

/** Cancels what was not sent yet, after a question. */
export const CancelWaiting = (which: CancelWaitingProps) => {
  const [asked, setAsked] = useState(false);
  const single = 'messageId' in which;
  const carryOut = async () => {
    try {
      toastSuccess(await cancel(which));
    } catch (error) {
      toastFailure(error instanceof Error ? error.message : String(error));
    } finally {
      setAsked(false);
      refreshBalance();
      // Refreshes wherever the message is shown: its own page, conversations and lists.
      const own = 'messageId' in which ? ['message', which.messageId] : ['batch', which.batchId];
      for (const queryKey of [own, ['conversation'], ['messages'], ['batches']])
        void queryClient.invalidateQueries({ queryKey });
    }
  };
  return (
    <>
      <Button size={single ? 'compact-sm' : 'md'} variant="default" onClick={() => setAsked(true)}>
        {single ? t('send.cancel.message') : t('send.cancel.batch')}
      </Button>
      <ConfirmDialog
        opened={asked}
        onClose={() => setAsked(false)}
        onConfirm={carryOut}
        title={single ? t('send.cancel.message') : t('send.cancel.batch')}
        cancel={t('send.cancel.keep')}
        destructive
        confirm={t('send.cancel.confirm')}
        close={t('layout.close')}
      >
        {t('send.cancel.ask')}
      </ConfirmDialog>
    </>
  );
};
