import { Button, Checkbox, Group, NativeSelect } from '@mantine/core';
import { type ReactNode, type RefObject, useRef, useState } from 'react';
import type { DeviceId } from '../../../contract/fleet/devices.ts';
import { call } from '../../ground/api/call.ts';
import { regionName } from '../../ground/i18n/format.ts';
import { t } from '../../ground/i18n/translate.ts';
import { Dialog } from '../../ground/ui/forms/dialog.tsx';
import classes from '../../ground/ui/forms/form-fields.module.css';
import { ANNOUNCED } from '../../ground/ui/forms/form-fields.tsx';
import {
  COUNTRIES,
  deviceFaults,
  type NewDevice,
  type NewDeviceField,
  OFFERED_TYPES,
} from './device-rules.ts';
import { useDeviceAct } from './use-device-act.ts';

const EMPTY: NewDevice = { country: '', type: '', risk: false, terms: false };

interface AcceptProps {
  ref: RefObject<HTMLInputElement | null>;
  label: ReactNode;
  checked: boolean;
  error: string | undefined;
  onChange: (checked: boolean) => void;
}

const Accept = ({ ref, label, checked, error, onChange }: AcceptProps) => (
  <Checkbox
    ref={ref}
    size="md"
    label={label}
    checked={checked}
    error={error && <span role="alert">{error}</span>}
    aria-invalid={error !== undefined}
    onChange={({ currentTarget }) => onChange(currentTarget.checked)}
  />
);

interface CreateDeviceProps {
  opened: boolean;
  onClose: () => void;
  onCreated: (deviceId: DeviceId) => void;
  /** What the second checkbox says, with links to the terms and the privacy policy. */
  termsLabel: ReactNode;
}

const Form = ({ onClose, onCreated, termsLabel }: Omit<CreateDeviceProps, 'opened'>) => {
  const [device, setDevice] = useState(EMPTY);
  const [faults, setFaults] = useState<ReturnType<typeof deviceFaults>>({});
  const fields: Record<NewDeviceField, RefObject<HTMLElement | null>> = {
    country: useRef(null),
    risk: useRef(null),
    terms: useRef(null),
  };
  const create = useDeviceAct(({ country, type }: NewDevice & { country: (typeof COUNTRIES)[number] }) =>
    call('POST /devices/create', { body: { countryCode: country, ...(type && { type }) } }),
  );
  const change = (changed: Partial<NewDevice>) => {
    setDevice((before) => ({ ...before, ...changed }));
    setFaults((before) =>
      Object.fromEntries(Object.entries(before).filter(([field]) => !Object.hasOwn(changed, field))),
    );
  };
  const submit = async () => {
    if (create.isPending) return;
    const found = deviceFaults(device);
    setFaults(found);
    const [first] = Object.keys(found) as NewDeviceField[];
    if (first) return fields[first].current?.focus();
    const { country } = device;
    if (country === '') return;
    const created = await create.mutateAsync({ ...device, country }).catch(() => undefined);
    if (!created) return;
    onClose();
    onCreated(created.deviceId);
  };
  return (
    <form
      noValidate
      className={classes.form}
      aria-label={t('devices.new')}
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <NativeSelect
        ref={fields.country as RefObject<HTMLSelectElement | null>}
        size="md"
        label={t('devices.country')}
        data-autofocus
        data={[
          { value: '', label: t('devices.choose_country') },
          ...COUNTRIES.map((country) => ({ value: country, label: `${country} · ${regionName(country)}` })),
        ]}
        value={device.country}
        error={faults.country}
        errorProps={ANNOUNCED}
        onChange={({ currentTarget }) => change({ country: currentTarget.value as NewDevice['country'] })}
      />
      <NativeSelect
        size="md"
        label={t('devices.type_optional')}
        data={[{ value: '', label: t('devices.choose_type') }, ...OFFERED_TYPES]}
        value={device.type}
        onChange={({ currentTarget }) => change({ type: currentTarget.value as NewDevice['type'] })}
      />
      <Accept
        ref={fields.risk as RefObject<HTMLInputElement | null>}
        label={t('devices.risk')}
        checked={device.risk}
        error={faults.risk}
        onChange={(risk) => change({ risk })}
      />
      <Accept
        ref={fields.terms as RefObject<HTMLInputElement | null>}
        label={termsLabel}
        checked={device.terms}
        error={faults.terms}
        onChange={(terms) => change({ terms })}
      />
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose} disabled={create.isPending}>
          {t('layout.cancel')}
        </Button>
        <Button type="submit" loading={create.isPending}>
          {t('devices.create')}
        </Button>
      </Group>
    </form>
  );
};

/** Asks for what a device needs. The form begins anew each time. */
export const CreateDevice = ({ opened, onClose, ...form }: CreateDeviceProps) => (
  <Dialog opened={opened} onClose={onClose} title={t('devices.new')} close={t('layout.close')}>
    <Form onClose={onClose} {...form} />
  </Dialog>
);
