import { Button } from '@mantine/core';
import { IconFileDownload } from '@tabler/icons-react';
import { useState } from 'react';
import type { BatchId } from '../../contract/messages.ts';
import type { AnyOptions } from '../api/call.ts';
import { download } from '../api/download.ts';
import { t } from '../i18n/translate.ts';
import { toastFailure } from '../ui/toast.ts';
import type { BatchRecord } from './batch-queries.ts';

interface DownloadProps {
  label: string;
  path: string;
  options: AnyOptions;
  name: string;
}

const Download = ({ label, path, options, name }: DownloadProps) => {
  const [loading, setLoading] = useState(false);
  const fetch = async () => {
    setLoading(true);
    try {
      await download(path, options, name);
    } catch (error) {
      toastFailure(error instanceof Error ? error.message : String(error));
    } finally {
      setLoading(false);
    }
  };
  return (
    <Button
      size="md"
      variant="default"
      loading={loading}
      leftSection={<IconFileDownload size={18} aria-hidden="true" />}
      onClick={() => void fetch()}
    >
      {label}
    </Button>
  );
};

/** The failed rows with their reasons, to be corrected and sent again. */
export const DownloadFailed = ({ batchId }: { batchId: BatchId }) => (
  <Download
    label={t('batches.download_failed')}
    path="/batches/:batchId/failed.csv"
    options={{ params: { batchId } }}
    name="failed.csv"
  />
);

/** Every message of the file with what became of it. */
export const ExportResults = ({ batch: { _id, accountId, fileName } }: { batch: BatchRecord }) => (
  <Download
    label={t('send.export')}
    path="/account/:accountId/messages.csv"
    options={{ params: { accountId }, query: { batchId: _id } }}
    name={`${fileName.replace(/\.csv$/i, '') || 'batch'}-result.csv`}
  />
);
