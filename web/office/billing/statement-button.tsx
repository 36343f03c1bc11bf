import type { AccountId } from '../../../contract/customer/accounts.ts';
import { download } from '../../ground/api/download.ts';
import { t } from '../../ground/i18n/translate.ts';
import { SaveButton } from '../../ground/ui/forms/save-button.tsx';

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
