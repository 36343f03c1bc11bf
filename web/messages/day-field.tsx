import { TextInput } from '@mantine/core';
import { IconCalendar } from '@tabler/icons-react';
import { memo, useRef } from 'react';
import { t } from '../i18n/translate.ts';
import { ANNOUNCED } from '../ui/form-fields.tsx';
import { isDay } from './days.ts';
import classes from './search-bar.module.css';

interface DayFieldProps {
  name: 'dateFrom' | 'dateTo';
  label: string;
  value: string;
  error: string | false;
  onChange: (change: { dateFrom?: string; dateTo?: string }) => void;
}

/** A day as yyyy-MM-dd, typed or picked. The browser's own date field would show it in the browser's format. */
export const DayField = memo(({ name, label, value, error, onChange }: DayFieldProps) => {
  const picker = useRef<HTMLInputElement>(null);
  const pick = (
    <button
      type="button"
      className={classes.pick}
      aria-label={t('messages.pick_day', { label })}
      onClick={() => picker.current?.showPicker()}
    >
      <IconCalendar size={16} aria-hidden="true" />
    </button>
  );
  return (
    <div className={classes.day}>
      <TextInput
        size="xs"
        name={name}
        label={label}
        placeholder="yyyy-MM-dd"
        inputMode="numeric"
        autoComplete="off"
        maxLength={10}
        value={value}
        error={error}
        errorProps={ANNOUNCED}
        rightSection={pick}
        rightSectionPointerEvents="all"
        onChange={({ currentTarget }) => onChange({ [name]: currentTarget.value.trim() })}
      />
      <input
        ref={picker}
        type="date"
        className={classes.picker}
        tabIndex={-1}
        aria-hidden="true"
        value={isDay(value) ? value : ''}
        onChange={({ currentTarget }) => currentTarget.value && onChange({ [name]: currentTarget.value })}
      />
    </div>
  );
});
