import type { UploadId } from '../../../contract/traffic/uploads.ts';
import { download } from '../../ground/api/download.ts';
import { t } from '../../ground/i18n/translate.ts';
import { SaveButton } from '../../ground/ui/forms/save-button.tsx';

/** The refused rows with their reasons, to be corrected and sent again. */
export const DownloadRefused = ({ uploadId }: { uploadId: UploadId }) => (
  <SaveButton
    size="md"
    label={t('send.check.download')}
    save={() => download('/uploads/:uploadId/refused.csv', { params: { uploadId } }, 'refused.csv')}
  />
);
