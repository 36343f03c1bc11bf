import { Button, Group, NativeSelect } from '@mantine/core';
import { useRef, useState } from 'react';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import { CHANNELS, type Channel } from '../../../contract/ground/channels.ts';
import { call } from '../../ground/api/call.ts';
import { callFailure, isAboutRecipient } from '../../ground/api/call-failure.ts';
import { queryClient } from '../../ground/api/query-client.ts';
import { t } from '../../ground/i18n/translate.ts';
import { FailureAlert } from '../../ground/ui/feedback/failure-alert.tsx';
import { toastSuccess } from '../../ground/ui/feedback/toast.ts';
import { Dialog } from '../../ground/ui/forms/dialog.tsx';
import classes from '../../ground/ui/forms/form-fields.module.css';
import { TextField } from '../../ground/ui/forms/form-fields.tsx';

interface AddOptOutProps {
  accountId: AccountId;
  opened: boolean;
  onClose: () => void;
}

const NOTE_MAX_LENGTH = 500;

const AddForm = ({ accountId, onClose }: Omit<AddOptOutProps, 'opened'>) => {
  const [channel, setChannel] = useState<Channel>('sms');
  const [phone, setPhone] = useState('');
  const [note, setNote] = useState('');
  const [fault, setFault] = useState('');
  const [failure, setFailure] = useState('');
  const [sending, setSending] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const email = channel === 'email';

  const submit = async () => {
    if (sending) return;
    if (phone.trim() === '') {
      setFault(email ? t('send.address_missing') : t('send.phone_missing'));
      field.current?.focus();
      return;
    }
    setSending(true);
    setFailure('');
    try {
      const { message } = await call('POST /account/:accountId/optOuts', {
        params: { accountId },
        body: { channel, phone: phone.trim(), note: note.trim() },
      });
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
      aria-label={t('opt_outs.add_title')}
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      {failure && <FailureAlert text={failure} />}
      <NativeSelect
        size="md"
        label={t('send.channel')}
        data-autofocus
        data={CHANNELS.map((value) => ({ value, label: t(`send.channel.${value}`) }))}
        value={channel}
        onChange={({ currentTarget }) => {
          setChannel(currentTarget.value as Channel);
          setFault('');
        }}
      />
      <TextField
        ref={field}
        label={email ? t('send.address') : t('send.phone')}
        description={email ? undefined : t('lists.phone_hint')}
        type={email ? 'email' : 'tel'}
        autoComplete="off"
        maxLength={320}
        value={phone}
        error={fault}
        onChange={({ currentTarget }) => {
          setPhone(currentTarget.value);
          setFault('');
        }}
      />
      <TextField
        label={t('opt_outs.note')}
        autoComplete="off"
        maxLength={NOTE_MAX_LENGTH}
        value={note}
        onChange={({ currentTarget }) => setNote(currentTarget.value)}
      />
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose} disabled={sending}>
          {t('layout.cancel')}
        </Button>
        <Button type="submit" loading={sending}>
          {t('opt_outs.add')}
        </Button>
      </Group>
    </form>
  );
};

export const AddOptOut = ({ opened, ...form }: AddOptOutProps) => (
  <Dialog opened={opened} onClose={form.onClose} title={t('opt_outs.add_title')} close={t('layout.close')}>
    <AddForm {...form} />
  </Dialog>
);
