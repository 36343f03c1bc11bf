import { Button, Group, Textarea } from '@mantine/core';
import { useRef, useState } from 'react';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import { call } from '../../ground/api/call.ts';
import { callFailure, isAboutRecipient } from '../../ground/api/call-failure.ts';
import { queryClient } from '../../ground/api/query-client.ts';
import { t } from '../../ground/i18n/translate.ts';
import { FailureAlert } from '../../ground/ui/feedback/failure-alert.tsx';
import { toastSuccess } from '../../ground/ui/feedback/toast.ts';
import { Dialog } from '../../ground/ui/forms/dialog.tsx';
import classes from '../../ground/ui/forms/form-fields.module.css';
import { TextField } from '../../ground/ui/forms/form-fields.tsx';
import type { Contact } from './contact-queries.ts';

/** A contact that is edited, or a new one. */
export type Edited = Contact | 'new';

interface ContactDialogProps {
  accountId: AccountId;
  edited: Edited | undefined;
  onClose: () => void;
}

const NAME_MAX_LENGTH = 200;
const NOTES_MAX_LENGTH = 2_000;

const titleOf = (edited: Edited | undefined) =>
  edited === 'new' ? t('contacts.add_title') : t('contacts.edit_title');

const ContactForm = ({ accountId, edited, onClose }: ContactDialogProps & { edited: Edited }) => {
  const known = edited === 'new' ? undefined : edited;
  const [phone, setPhone] = useState('');
  const [name, setName] = useState(known?.name ?? '');
  const [notes, setNotes] = useState(known?.notes ?? '');
  const [fault, setFault] = useState('');
  const [failure, setFailure] = useState('');
  const [sending, setSending] = useState(false);
  const field = useRef<HTMLInputElement>(null);

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
  const submit = async () => {
    if (sending) return;
    if (!known && phone.trim() === '') {
      setFault(t('contacts.phone_missing'));
      field.current?.focus();
      return;
    }
    setSending(true);
    setFailure('');
    try {
      const { message } = await save();
      toastSuccess(message);
      onClose();
      await queryClient.invalidateQueries();
    } catch (error) {
      const { message, code } = callFailure(error);
      if (!isAboutRecipient(code)) return setFailure(message);
      setFault(message);
      field.current?.focus();
    } finally {
      setSending(false);
    }
  };

  return (
    <form
      noValidate
      className={classes.form}
      aria-label={titleOf(edited)}
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      {failure && <FailureAlert text={failure} />}
      <TextField
        ref={field}
        label={t('contacts.phone')}
        description={known ? undefined : t('lists.phone_hint')}
        autoComplete="off"
        maxLength={320}
        readOnly={known !== undefined}
        data-autofocus={known === undefined || undefined}
        value={known?.phone ?? phone}
        error={fault}
        onChange={({ currentTarget }) => {
          setPhone(currentTarget.value);
          setFault('');
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
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose} disabled={sending}>
          {t('layout.cancel')}
        </Button>
        <Button type="submit" loading={sending}>
          {t('contacts.save')}
        </Button>
      </Group>
    </form>
  );
};

export const ContactDialog = ({ accountId, edited, onClose }: ContactDialogProps) => {
  // The content stays while the dialog fades out.
  const last = useRef<Edited>('new');
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
