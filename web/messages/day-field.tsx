import { TextInput } from '@mantine/core';
import { IconCalendar } from '@tabler/icons-react';
import { useRef } from 'react';
import { t } from '../i18n/translate.ts';
import { ANNOUNCED } from '../ui/form-fields.tsx';
import { isDay } from './days.ts';
import classes from './search-bar.module.css';

interface DayFieldProps {
  label: string;
  value: string;
  error: string | false;
  onChange: (value: string) => void;
}

/** A day as the specification writes it, typed or picked: the browser's own field would show it its own way. */
export const DayField = ({ label, value, error, onChange }: DayFieldProps) => {
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
        onChange={({ currentTarget }) => onChange(currentTarget.value.trim())}
      />
      <input
        ref={picker}
        type="date"
        className={classes.picker}
        tabIndex={-1}
        aria-hidden="true"
        value={isDay(value) ? value : ''}
        onChange={({ currentTarget }) => currentTarget.value && onChange(currentTarget.value)}
      />
    </div>
  );
};
