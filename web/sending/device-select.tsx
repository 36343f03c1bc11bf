import { NativeSelect } from '@mantine/core';
import type { RefObject } from 'react';
import { t } from '../i18n/translate.ts';
import { ANNOUNCED } from '../ui/form-fields.tsx';
import { BUSINESS_NUMBER } from './draft.ts';

const SIMULATOR = 'simulator';

/** There is one so far, so it is chosen already. */
export const soleDevice = (test: boolean): string => (test ? SIMULATOR : BUSINESS_NUMBER);

interface DeviceSelectProps {
  ref: RefObject<HTMLSelectElement | null>;
  /** Whether a simulator takes the messages. */
  test: boolean;
  value: string;
  error: string | undefined;
  onChange: (device: string) => void;
}

/** The device that sends WhatsApp messages. */
export const DeviceSelect = ({ ref, test, value, error, onChange }: DeviceSelectProps) => (
  <NativeSelect
    ref={ref}
    size="md"
    label={t('send.device')}
    data={[
      { value: '', label: t('send.choose_device') },
      { value: soleDevice(test), label: test ? t('send.simulator') : t('send.business_number') },
    ]}
    value={value}
    error={error}
    errorProps={ANNOUNCED}
    onChange={({ currentTarget }) => onChange(currentTarget.value)}
  />
);
