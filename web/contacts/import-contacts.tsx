import type { AccountId } from '../../contract/accounts.ts';
import type { Imported } from '../../contract/opt-outs.ts';
import { queryClient } from '../api/query-client.ts';
import { uploadList } from '../api/upload-list.ts';
import { importLabels } from '../i18n/import-labels.ts';
import { t } from '../i18n/translate.ts';
import { ImportDialog } from '../ui/import-dialog.tsx';

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
