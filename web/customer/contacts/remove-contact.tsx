import { useRef } from 'react';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import { call } from '../../ground/api/call.ts';
import { t } from '../../ground/i18n/translate.ts';
import { ConfirmDialog } from '../../ground/ui/forms/confirm-dialog.tsx';
import { useSave } from '../../ground/ui/forms/use-save.ts';
import type { Contact } from './contact-queries.ts';

interface RemoveContactProps {
  accountId: AccountId;
  /** The dialog is open while this is set. */
  contact: Contact | undefined;
  onClose: () => void;
}

export const RemoveContact = ({ accountId, contact, onClose }: RemoveContactProps) => {
  const remove = useSave((contactId: Contact['_id']) =>
    call('DELETE /account/:accountId/contacts/:contactId', { params: { accountId, contactId } }),
  );
  // The text stays while the dialog fades out.
  const last = useRef(contact);
  if (contact) last.current = contact;
  return (
    <ConfirmDialog
      opened={contact !== undefined}
      onClose={onClose}
      onConfirm={async () => {
        if (contact) await remove.mutateAsync(contact._id).catch(() => {});
        onClose();
      }}
      title={t('contacts.remove_title')}
      cancel={t('layout.cancel')}
      destructive
      confirm={t('contacts.remove_button')}
      close={t('layout.close')}
    >
      <p>{t('contacts.remove_text', { contact: last.current?.name || last.current?.phone || '' })}</p>
    </ConfirmDialog>
  );
};
