import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import { call } from '../api/call.ts';
import { callFailure } from '../api/call-failure.ts';
import { queryClient } from '../api/query-client.ts';
import { t } from '../i18n/translate.ts';
import { Dialog } from '../ui/dialog.tsx';
import classes from '../ui/form-fields.module.css';
import { TextField } from '../ui/form-fields.tsx';
import { phonesQuery } from './phones-query.ts';

/** Adds a phone by its name; all else is edited in the table. */
export const AddPhone = ({ opened, onClose }: { opened: boolean; onClose: () => void }) => {
  const [name, setName] = useState('');
  const [phoneNumber, setPhoneNumber] = useState('');
  const [fault, setFault] = useState('');
  const [sending, setSending] = useState(false);
  const submit = async () => {
    if (sending) return;
    if (name.trim() === '') return setFault(t('phones.name_missing'));
    setSending(true);
    try {
      await call('POST /phoneNumberInventory', { body: { name, phoneNumber } });
      setName('');
      setPhoneNumber('');
      onClose();
      await queryClient.invalidateQueries(phonesQuery);
    } catch (error) {
      setFault(callFailure(error).message);
    } finally {
      setSending(false);
    }
  };
  return (
    <Dialog opened={opened} onClose={onClose} title={t('phones.add')} close={t('layout.close')}>
      <form
        noValidate
        className={classes.form}
        aria-label={t('phones.add')}
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <TextField
          label={t('phones.name')}
          description={t('phones.add_hint')}
          autoComplete="off"
          maxLength={100}
          data-autofocus
          value={name}
          error={fault}
          onChange={({ currentTarget }) => {
            setName(currentTarget.value);
            setFault('');
          }}
        />
        <TextField
          label={t('phones.number')}
          autoComplete="off"
          maxLength={40}
          value={phoneNumber}
          onChange={({ currentTarget }) => setPhoneNumber(currentTarget.value)}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} disabled={sending}>
            {t('layout.cancel')}
          </Button>
          <Button type="submit" loading={sending}>
            {t('phones.add_button')}
          </Button>
        </Group>
      </form>
    </Dialog>
  );
};
