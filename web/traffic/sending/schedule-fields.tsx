import { Checkbox, NativeSelect } from '@mantine/core';
import type { RefObject } from 'react';
import { formatDuration } from '../../ground/i18n/format.ts';
import { timeZone } from '../../ground/i18n/time-zone.ts';
import { t } from '../../ground/i18n/translate.ts';
import { MomentField } from '../../ground/ui/forms/day-field.tsx';
import type { Schedule } from './schedule.ts';
import classes from './send-form.module.css';

const LATE_LIMITS = ['5', '15', '60', '240', '1440'];

interface ScheduleFieldsProps {
  schedule: Schedule;
  error: string | undefined;
  timeRef?: RefObject<HTMLInputElement | null>;
  onChange: (schedule: Schedule) => void;
}

/** A time to send at, and how late is too late. */
export const ScheduleFields = ({ schedule, error, timeRef, onChange }: ScheduleFieldsProps) => (
  <div className={classes.schedule}>
    <Checkbox
      label={t('send.later')}
      checked={schedule.wanted}
      onChange={({ currentTarget }) => onChange({ ...schedule, wanted: currentTarget.checked })}
    />
    {schedule.wanted && (
      <div className={classes.scheduleFields}>
        <MomentField
          {...(timeRef && { ref: timeRef })}
          size="md"
          label={t('send.later.time')}
          description={t('send.later.zone', { zone: timeZone() })}
          pick={t('lists.pick_day', { label: t('send.later.time') })}
          value={schedule.sendAt}
          error={error}
          onChange={(sendAt) => onChange({ ...schedule, sendAt })}
        />
        <NativeSelect
          size="md"
          label={t('send.later.limit')}
          description={t('send.later.limit_hint')}
          value={schedule.lateLimitMinutes}
          data={LATE_LIMITS.map((minutes) => ({
            value: minutes,
            label: formatDuration(Number(minutes) * 60),
          }))}
          onChange={({ currentTarget }) => onChange({ ...schedule, lateLimitMinutes: currentTarget.value })}
        />
      </div>
    )}
  </div>
);
