import { Textarea } from '@mantine/core';
import { useRef, useState } from 'react';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import { call } from '../../ground/api/call.ts';
import { t } from '../../ground/i18n/translate.ts';
import { Dialog } from '../../ground/ui/forms/dialog.tsx';
import { EntryForm } from '../../ground/ui/forms/entry-form.tsx';
import { TextField } from '../../ground/ui/forms/form-fields.tsx';
import type { Contact } from './contact-queries.ts';

/** A contact that is edited, or a new one. */
export type EditedContact = Contact | 'new';

interface ContactDialogProps {
  accountId: AccountId;
  edited: EditedContact | undefined;
  onClose: () => void;
}

const NAME_MAX_LENGTH = 200;
const NOTES_MAX_LENGTH = 2_000;

const titleOf = (edited: EditedContact | undefined) =>
  edited === 'new' ? t('contacts.add_title') : t('contacts.edit_title');

const ContactForm = ({ accountId, edited, onClose }: ContactDialogProps & { edited: EditedContact }) => {
  const known = edited === 'new' ? undefined : edited;
  const [phone, setPhone] = useState('');
  const [name, setName] = useState(known?.name ?? '');
  const [notes, setNotes] = useState(known?.notes ?? '');

  const save = () =>
    known
      ? call('PUT /account/:accountId/contacts/:contactId', {
          params: { accountId, contactId: known._id },
          body: { name, notes },
        })
      : call('POST /account/:accountId/contacts', {
          params: { accountId },
          body: { phone: phone.trim(), name, notes },
        });
  return (
    <EntryForm
      title={titleOf(edited)}
      save={t('contacts.save')}
      onSave={save}
      onClose={onClose}
      missing={!known && phone.trim() === '' ? t('contacts.phone_missing') : ''}
    >
      {({ recipient, touched }) => (
        <>
          <TextField
            {...recipient}
            label={t('contacts.phone')}
            description={known ? undefined : t('lists.phone_hint')}
            autoComplete="off"
            maxLength={320}
            readOnly={known !== undefined}
            data-autofocus={known === undefined || undefined}
            value={known?.phone ?? phone}
            onChange={({ currentTarget }) => {
              setPhone(currentTarget.value);
              touched();
            }}
          />
          <TextField
            label={t('contacts.name')}
            autoComplete="off"
            maxLength={NAME_MAX_LENGTH}
            data-autofocus={known !== undefined || undefined}
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
          />
          <Textarea
            size="md"
            label={t('contacts.notes')}
            autosize
            minRows={2}
            maxRows={8}
            maxLength={NOTES_MAX_LENGTH}
            value={notes}
            onChange={({ currentTarget }) => setNotes(currentTarget.value)}
          />
        </>
      )}
    </EntryForm>
  );
};

export const ContactDialog = ({ accountId, edited, onClose }: ContactDialogProps) => {
  // The content stays while the dialog fades out.
  const last = useRef<EditedContact>('new');
  if (edited) last.current = edited;
  return (
    <Dialog
      opened={edited !== undefined}
      onClose={onClose}
      title={titleOf(last.current)}
      close={t('layout.close')}
    >
      <ContactForm accountId={accountId} edited={last.current} onClose={onClose} />
    </Dialog>
  );
};
