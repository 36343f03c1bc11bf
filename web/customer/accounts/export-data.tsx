import type { AccountId } from '../../../contract/customer/accounts.ts';
import { download } from '../../ground/api/download.ts';
import { t } from '../../ground/i18n/translate.ts';
import { SaveButton } from '../../ground/ui/forms/save-button.tsx';
import classes from './account-data.module.css';

/** The messages of several years may take this long. */
const TIMEOUT_MS = 60 * 60_000;

export const ExportData = ({ accountId }: { accountId: AccountId }) => (
  <div className={classes.row}>
    <div>
      <h3>{t('settings.export')}</h3>
      <p>{t('settings.export_hint')}</p>
    </div>
    <SaveButton
      label={t('settings.export_button')}
      save={() =>
        download(
          '/account/:accountId/export.zip',
          { params: { accountId }, timeoutMs: TIMEOUT_MS },
          `posthorn-export-${new Date().toISOString().slice(0, 10)}.zip`,
        )
      }
    />
  </div>
);
