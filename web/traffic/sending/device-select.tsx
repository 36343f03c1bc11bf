import { NativeSelect } from '@mantine/core';
import type { RefObject } from 'react';
import { t } from '../../ground/i18n/translate.ts';
import { ANNOUNCED } from '../../ground/ui/forms/form-fields.tsx';
import type { OfferedDevice } from './offered-devices.ts';

interface DeviceSelectProps {
  ref: RefObject<HTMLSelectElement | null>;
  offered: OfferedDevice[];
  value: string;
  error: string | undefined;
  onChange: (device: string) => void;
}

/** The device that sends WhatsApp messages. */
export const DeviceSelect = ({ ref, offered, value, error, onChange }: DeviceSelectProps) => (
  <NativeSelect
    ref={ref}
    size="md"
    label={t('send.device')}
    description={offered.length === 0 ? t('send.no_device') : undefined}
    data={[
      { value: '', label: t('send.choose_device') },
      ...offered.map(({ value: device, label }) => ({ value: device, label })),
    ]}
    value={value}
    error={error}
    errorProps={ANNOUNCED}
    onChange={({ currentTarget }) => onChange(currentTarget.value)}
  />
);
