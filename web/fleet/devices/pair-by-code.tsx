import { Button } from '@mantine/core';
import { useState } from 'react';
import { call } from '../../ground/api/call.ts';
import { t } from '../../ground/i18n/translate.ts';
import { TextField } from '../../ground/ui/forms/form-fields.tsx';
import classes from './devices.module.css';
import type { Device } from './devices-query.ts';
import { useDeviceAct } from './use-device-act.ts';

/** The click that opened the form was meant for its field. */
const focus = (input: HTMLInputElement | null) => input?.focus();

/** For who can't scan: asks for letters that are typed on the phone of this number. */
export const PairByCode = ({ device: { deviceId } }: { device: Device }) => {
  const [open, setOpen] = useState(false);
  const [phoneNumber, setPhoneNumber] = useState('');
  const [fault, setFault] = useState('');
  const ask = useDeviceAct((typed: string) =>
    call('POST /devices/:deviceId/pairingCode', { params: { deviceId }, body: { phoneNumber: typed } }),
  );
  if (!open)
    return (
      <Button variant="subtle" onClick={() => setOpen(true)}>
        {t('devices.by_code')}
      </Button>
    );
  return (
    <form
      noValidate
      className={classes.byCode}
      aria-label={t('devices.by_code')}
      onSubmit={(event) => {
        event.preventDefault();
        if (phoneNumber.trim() === '') return setFault(t('devices.number_missing'));
        if (!ask.isPending) ask.mutate(phoneNumber.trim());
      }}
    >
      <TextField
        ref={focus}
        label={t('devices.number')}
        type="tel"
        autoComplete="tel"
        maxLength={40}
        value={phoneNumber}
        error={fault}
        onChange={({ currentTarget }) => {
          setPhoneNumber(currentTarget.value);
          setFault('');
        }}
      />
      <Button type="submit" size="md" loading={ask.isPending}>
        {t('devices.get_code')}
      </Button>
    </form>
  );
};
