import type { AccountId } from '../../../contract/customer/accounts.ts';
import type { Imported } from '../../../contract/customer/opt-outs.ts';
import { queryClient } from '../../ground/api/query-client.ts';
import { uploadList } from '../../ground/api/upload-list.ts';
import { importLabels } from '../../ground/i18n/import-labels.ts';
import { t } from '../../ground/i18n/translate.ts';
import { ImportDialog } from '../../ground/ui/forms/import-dialog.tsx';

interface ImportContactsProps {
  accountId: AccountId;
  opened: boolean;
  onClose: () => void;
}

export const ImportContacts = ({ accountId, opened, onClose }: ImportContactsProps) => {
  const take = async (file: File): Promise<Imported> => {
    const path = '/account/:accountId/contacts/import';
    const imported = await uploadList({ path, params: { accountId }, file });
    void queryClient.invalidateQueries();
    return imported;
  };
  return (
    <ImportDialog
      opened={opened}
      onClose={onClose}
      onImport={take}
      title={t('contacts.import_title')}
      hint={t('contacts.import_hint')}
      labels={importLabels()}
    />
  );
};
