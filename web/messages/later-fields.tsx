import { Checkbox, NativeSelect, TextInput } from '@mantine/core';
import type { RefObject } from 'react';
import { formatDuration } from '../i18n/format.ts';
import { timeZone } from '../i18n/time-zone.ts';
import { t } from '../i18n/translate.ts';
import { ANNOUNCED } from '../ui/form-fields.tsx';
import type { Later } from './later.ts';
import classes from './send-form.module.css';

const LATE_LIMITS = ['5', '15', '60', '240', '1440'];

interface LaterFieldsProps {
  later: Later;
  error: string | undefined;
  timeRef?: RefObject<HTMLInputElement | null>;
  onChange: (later: Later) => void;
}

/** A time to send at, and how late is too late. */
export const LaterFields = ({ later, error, timeRef, onChange }: LaterFieldsProps) => (
  <div className={classes.later}>
    <Checkbox
      label={t('send.later')}
      checked={later.wanted}
      onChange={({ currentTarget }) => onChange({ ...later, wanted: currentTarget.checked })}
    />
    {later.wanted && (
      <div className={classes.laterFields}>
        <TextInput
          {...(timeRef && { ref: timeRef })}
          type="datetime-local"
          size="md"
          label={t('send.later.time')}
          description={t('send.later.zone', { zone: timeZone() })}
          value={later.sendAt}
          error={error}
          errorProps={ANNOUNCED}
          onChange={({ currentTarget }) => onChange({ ...later, sendAt: currentTarget.value })}
        />
        <NativeSelect
          size="md"
          label={t('send.later.limit')}
          description={t('send.later.limit_hint')}
          value={later.lateLimitMinutes}
          data={LATE_LIMITS.map((minutes) => ({
            value: minutes,
            label: formatDuration(Number(minutes) * 60),
          }))}
          onChange={({ currentTarget }) => onChange({ ...later, lateLimitMinutes: currentTarget.value })}
        />
      </div>
    )}
  </div>
);
