import type { UploadId } from '../../contract/uploads.ts';
import { download } from '../api/download.ts';
import { t } from '../i18n/translate.ts';
import { DownloadButton } from '../ui/download-button.tsx';

/** The refused rows with their reasons, to be corrected and sent again. */
export const DownloadRefused = ({ uploadId }: { uploadId: UploadId }) => (
  <DownloadButton
    label={t('send.check.download')}
    fetch={() => download('/uploads/:uploadId/refused.csv', { params: { uploadId } }, 'refused.csv')}
  />
);
