import type { BatchId } from '../../../contract/traffic/messages.ts';
import { download } from '../../ground/api/download.ts';
import { t } from '../../ground/i18n/translate.ts';
import { SaveButton } from '../../ground/ui/forms/save-button.tsx';
import type { BatchRecord } from './batch-queries.ts';

/** The failed rows with their reasons, to be corrected and sent again. */
export const DownloadFailed = ({ batchId }: { batchId: BatchId }) => (
  <SaveButton
    size="md"
    label={t('batches.download_failed')}
    save={() => download('/batches/:batchId/failed.csv', { params: { batchId } }, 'failed.csv')}
  />
);

/** Every message of the file with what became of it. */
export const ExportResults = ({ batch: { _id, accountId, fileName } }: { batch: BatchRecord }) => (
  <SaveButton
    size="md"
    label={t('send.export')}
    save={() =>
      download(
        '/account/:accountId/messages.csv',
        { params: { accountId }, query: { batchId: _id } },
        `${fileName.replace(/\.csv$/i, '') || 'batch'}-result.csv`,
      )
    }
  />
);
