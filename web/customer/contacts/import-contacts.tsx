import type { AccountId } from '../../../contract/customer/accounts.ts';
import { t } from '../../ground/i18n/translate.ts';
import { ImportDialog } from '../../ground/ui/forms/import-dialog.tsx';

interface ImportContactsProps {
  accountId: AccountId;
  opened: boolean;
  onClose: () => void;
}

export const ImportContacts = ({ accountId, ...dialog }: ImportContactsProps) => (
  <ImportDialog
    {...dialog}
    upload={{ path: '/account/:accountId/contacts/import', params: { accountId } }}
    title={t('contacts.import_title')}
    hint={t('contacts.import_hint')}
  />
);
