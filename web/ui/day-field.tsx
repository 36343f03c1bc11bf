import { TextInput, type TextInputProps } from '@mantine/core';
import { IconCalendar } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import classes from './day-field.module.css';
import { ANNOUNCED } from './form-fields.tsx';

const DAY = /^\d{4}-\d{2}-\d{2}$/;
/** There is no 30th of February, though a browser's clock takes it for the 2nd of March. */
const isDay = (text: string): boolean => {
  const moment = Date.parse(`${text}T00:00:00Z`);
  return DAY.test(text) && !Number.isNaN(moment) && new Date(moment).toISOString().startsWith(text);
};

interface DayFieldProps extends Pick<TextInputProps, 'name' | 'size' | 'error'> {
  label: string;
  /** The name of the button that opens the calendar. */
  pick: string;
  value: string;
  onChange: (typed: string) => void;
}

/** A day as yyyy-MM-dd, typed or picked. The browser's own date field would show it in the browser's format. */
export const DayField = ({ pick, value, onChange, ...field }: DayFieldProps) => {
  const picker = useRef<HTMLInputElement>(null);
  return (
    <div className={classes.day}>
      <TextInput
        placeholder="yyyy-MM-dd"
        inputMode="numeric"
        autoComplete="off"
        maxLength={10}
        value={value}
        errorProps={ANNOUNCED}
        rightSection={
          <button
            type="button"
            className={classes.pick}
            aria-label={pick}
            onClick={() => picker.current?.showPicker()}
          >
            <IconCalendar size={16} aria-hidden="true" />
          </button>
        }
        rightSectionPointerEvents="all"
        onChange={({ currentTarget }) => onChange(currentTarget.value.trim())}
        {...field}
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

interface DayFilterProps extends Omit<DayFieldProps, 'value' | 'onChange'> {
  value: string | undefined;
  onChange: (day: string | undefined) => void;
}

/** One that takes effect when it is a complete day, or empty. */
export const DayFilter = ({ value, onChange, ...field }: DayFilterProps) => {
  const [typed, setTyped] = useState(value ?? '');
  return (
    <DayField
      {...field}
      value={isDay(typed) || typed === '' ? (value ?? typed) : typed}
      onChange={(next) => {
        setTyped(next);
        if (next === '' || isDay(next)) onChange(next || undefined);
      }}
    />
  );
};
