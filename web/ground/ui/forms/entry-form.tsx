import { Button, Group } from '@mantine/core';
import { type ReactNode, type RefObject, useRef, useState } from 'react';
import { callFailure, isAboutRecipient } from '../../api/call-failure.ts';
import { queryClient } from '../../api/query-client.ts';
import { t } from '../../i18n/translate.ts';
import { FailureAlert } from '../feedback/failure-alert.tsx';
import { toastSuccess } from '../feedback/toast.ts';
import classes from './form-fields.module.css';

interface EntryFormProps {
  title: string;
  /** What the button says that saves it. */
  save: string;
  onSave: () => Promise<{ message: string }>;
  onClose: () => void;
  /** What to say at the field of the number or address if nothing is typed there; empty otherwise. */
  missing: string;
  /** The form's fields: that field gets `recipient`, and `touched` is to be called when its fault is out of date. */
  children: (field: {
    recipient: { ref: RefObject<HTMLInputElement | null>; error: string };
    touched: () => void;
  }) => ReactNode;
}

/** Saves an entry of a list that has a number or an address; a refusal of that is told at its field. */
export const EntryForm = ({ title, save, onSave, onClose, missing, children }: EntryFormProps) => {
  const [fault, setFault] = useState('');
  const [failure, setFailure] = useState('');
  const [sending, setSending] = useState(false);
  const field = useRef<HTMLInputElement>(null);

  const refuse = (message: string) => {
    setFault(message);
    field.current?.focus();
  };
  const submit = async () => {
    if (sending) return;
    if (missing) return refuse(missing);
    setSending(true);
    setFailure('');
    try {
      const { message } = await onSave();
      toastSuccess(message);
      onClose();
      await queryClient.invalidateQueries();
    } catch (error) {
      const { message, code } = callFailure(error);
      if (isAboutRecipient(code)) refuse(message);
      else setFailure(message);
    } finally {
      setSending(false);
    }
  };

  return (
    <form
      noValidate
      className={classes.form}
      aria-label={title}
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      {failure && <FailureAlert text={failure} />}
      {children({ recipient: { ref: field, error: fault }, touched: () => setFault('') })}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose} disabled={sending}>
          {t('layout.cancel')}
        </Button>
        <Button type="submit" loading={sending}>
          {save}
        </Button>
      </Group>
    </form>
  );
};
