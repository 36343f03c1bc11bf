import { Button } from '@mantine/core';
import { IconFileDownload } from '@tabler/icons-react';
import { useState } from 'react';
import type { UploadId } from '../../contract/uploads.ts';
import { download } from '../api/download.ts';
import { t } from '../i18n/translate.ts';
import { toastFailure } from '../ui/toast.ts';

/** The refused rows with their reasons, to be corrected and sent again. */
export const DownloadRefused = ({ uploadId }: { uploadId: UploadId }) => {
  const [loading, setLoading] = useState(false);
  const fetch = async () => {
    setLoading(true);
    try {
      await download('/uploads/:uploadId/refused.csv', { params: { uploadId } }, 'refused.csv');
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
      {t('send.check.download')}
    </Button>
  );
};
