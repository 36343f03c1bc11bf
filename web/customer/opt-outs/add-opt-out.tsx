import { NativeSelect } from '@mantine/core';
import { useState } from 'react';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import { CHANNELS, type Channel } from '../../../contract/ground/channels.ts';
import { call } from '../../ground/api/call.ts';
import { t } from '../../ground/i18n/translate.ts';
import { Dialog } from '../../ground/ui/forms/dialog.tsx';
import { EntryForm } from '../../ground/ui/forms/entry-form.tsx';
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
  const email = channel === 'email';

  const missing = email ? t('send.address_missing') : t('send.phone_missing');

  return (
    <EntryForm
      title={t('opt_outs.add_title')}
      save={t('opt_outs.add')}
      onSave={() =>
        call('POST /account/:accountId/optOuts', {
          params: { accountId },
          body: { channel, phone: phone.trim(), note: note.trim() },
        })
      }
      onClose={onClose}
      missing={phone.trim() === '' ? missing : ''}
    >
      {({ recipient, touched }) => (
        <>
          <NativeSelect
            size="md"
            label={t('send.channel')}
            data-autofocus
            data={CHANNELS.map((value) => ({ value, label: t(`send.channel.${value}`) }))}
            value={channel}
            onChange={({ currentTarget }) => {
              setChannel(currentTarget.value as Channel);
              touched();
            }}
          />
          <TextField
            {...recipient}
            label={email ? t('send.address') : t('send.phone')}
            description={email ? undefined : t('lists.phone_hint')}
            type={email ? 'email' : 'tel'}
            autoComplete="off"
            maxLength={320}
            value={phone}
            onChange={({ currentTarget }) => {
              setPhone(currentTarget.value);
              touched();
            }}
          />
          <TextField
            label={t('opt_outs.note')}
            autoComplete="off"
            maxLength={NOTE_MAX_LENGTH}
            value={note}
            onChange={({ currentTarget }) => setNote(currentTarget.value)}
          />
        </>
      )}
    </EntryForm>
  );
};

export const AddOptOut = ({ opened, ...form }: AddOptOutProps) => (
  <Dialog opened={opened} onClose={form.onClose} title={t('opt_outs.add_title')} close={t('layout.close')}>
    <AddForm {...form} />
  </Dialog>
);
