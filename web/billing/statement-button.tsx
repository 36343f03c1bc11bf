import type { AccountId } from '../../contract/accounts.ts';
import { download } from '../api/download.ts';
import { t } from '../i18n/translate.ts';
import { SaveButton } from '../ui/save-button.tsx';

export const StatementButton = ({ accountId, date }: { accountId: AccountId; date: string }) => (
  <SaveButton
    label={t('billing.statement')}
    save={() =>
      download(
        '/account/:accountId/statement.pdf',
        { params: { accountId }, query: { date } },
        `posthorn-statement-${date}.pdf`,
      )
    }
  />
);
