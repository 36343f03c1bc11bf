import { Button, Group } from '@mantine/core';
import { IconArrowsExchange } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { MessageId } from '../../../../contract/traffic/messages.ts';
import { call } from '../../../ground/api/call.ts';
import { queryClient } from '../../../ground/api/query-client.ts';
import { t } from '../../../ground/i18n/translate.ts';
import { DataList } from '../../../ground/ui/data-list/data-list.tsx';
import { NO_ROWS } from '../../../ground/ui/data-list/no-rows.ts';
import { toastFailure, toastSuccess } from '../../../ground/ui/feedback/toast.ts';
import { Dialog } from '../../../ground/ui/forms/dialog.tsx';
import list from '../../../ground/ui/list.module.css';
import classes from '../list/message-cells.module.css';
import type { ListedMessage } from '../search/list-query.ts';
import { transferColumns } from './transfer-columns.tsx';

interface PreviewProps {
  jobId: MessageId;
  onClose: () => void;
}

/** How routing judges the phones for the message; the choice of one confirms the transfer. */
const Preview = ({ jobId, onClose }: PreviewProps) => {
  const params = { jobId };
  const preview = useQuery({
    queryKey: ['transfer-preview', jobId],
    queryFn: () => call('GET /job/:jobId/transferPreview', { params, query: {} }),
    staleTime: 0,
  });
  const { mutate, isPending } = useMutation({
    mutationFn: (phoneName?: string) =>
      call('POST /job/:jobId/transfer', { params, body: phoneName ? { phoneName } : {} }),
    networkMode: 'always',
    onSuccess: async () => {
      toastSuccess(t('transfer.done', { count: 1 }));
      onClose();
      await queryClient.invalidateQueries();
    },
    onError: (error) => toastFailure(error.message),
  });
  const columns = useMemo(() => transferColumns((phoneName) => mutate(phoneName)), [mutate]);
  return (
    <>
      <p className={list.hint}>{t('transfer.hint')}</p>
      <DataList
        name="transfer"
        label={t('transfer.title')}
        columns={columns}
        rows={preview.data?.phoneScores ?? NO_ROWS}
        rowId={({ phoneName }) => phoneName}
        query={preview}
        failed={t('transfer.failed')}
        empty={t('transfer.none')}
        expected={3}
      />
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={onClose}>
          {t('layout.cancel')}
        </Button>
        <Button loading={isPending} onClick={() => mutate(undefined)}>
          {t('transfer.auto')}
        </Button>
      </Group>
    </>
  );
};

/** For admins: moves a message that waits to another phone. */
export const TransferJob = ({ message }: { message: ListedMessage }) => {
  const [opened, setOpened] = useState(false);
  if (message.status !== 'PENDING' || message.type !== 'outgoing') return null;
  return (
    <>
      <button type="button" className={classes.badge} onClick={() => setOpened(true)}>
        <IconArrowsExchange size={12} aria-hidden="true" />
        {t('transfer.open')}
      </button>
      <Dialog
        opened={opened}
        onClose={() => setOpened(false)}
        title={t('transfer.title')}
        close={t('layout.close')}
        wide
      >
        <Preview jobId={message._id} onClose={() => setOpened(false)} />
      </Dialog>
    </>
  );
};
