import { TextInput, type TextInputProps } from '@mantine/core';
import { IconCalendar } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { isDay, isMoment, toMomentText, toWireMoment } from '../../i18n/moment-text.ts';
import { t } from '../../i18n/translate.ts';
import { useFollowing } from '../use-following.ts';
import classes from './day-field.module.css';
import { ANNOUNCED } from './form-fields.tsx';

interface DayFieldProps
  extends Pick<TextInputProps, 'ref' | 'name' | 'size' | 'error' | 'description' | 'onBlur'> {
  label: string;
  /** The name of the button that opens the calendar. */
  pick: string;
  value: string;
  onChange: (typed: string) => void;
}

/** What is picked is a day, or a day with its time. */
const KINDS = {
  day: { type: 'date', placeholder: 'yyyy-MM-dd', isWhole: isDay },
  moment: { type: 'datetime-local', placeholder: 'yyyy-MM-dd HH:mm', isWhole: isMoment },
};

/** Typed or picked. The browser's own field would show it in the browser's format. */
const PickedField = ({
  kind,
  pick,
  value,
  onChange,
  ...field
}: DayFieldProps & { kind: keyof typeof KINDS }) => {
  const picker = useRef<HTMLInputElement>(null);
  const { type, placeholder, isWhole } = KINDS[kind];
  return (
    <div className={classes.day}>
      <TextInput
        placeholder={placeholder}
        inputMode={kind === 'day' ? 'numeric' : 'text'}
        autoComplete="off"
        maxLength={placeholder.length}
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
        onChange={({ currentTarget }) => onChange(currentTarget.value.trimStart())}
        {...field}
      />
      <input
        ref={picker}
        type={type}
        className={classes.picker}
        tabIndex={-1}
        aria-hidden="true"
        value={isWhole(value) ? toWireMoment(value) : ''}
        onChange={({ currentTarget }) => currentTarget.value && onChange(toMomentText(currentTarget.value))}
      />
    </div>
  );
};

/** A day as yyyy-MM-dd. */
export const DayField = ({ onChange, ...field }: DayFieldProps) => (
  <PickedField {...field} kind="day" onChange={(typed) => onChange(typed.trim())} />
);

/** A day and its time as yyyy-MM-dd HH:mm. */
export const MomentField = (field: DayFieldProps) => <PickedField {...field} kind="moment" />;

interface DayFilterProps extends Omit<DayFieldProps, 'value' | 'onChange'> {
  value: string | undefined;
  onChange: (day: string | undefined) => void;
}

/** One that takes effect when it is a complete day, or empty. */
export const DayFilter = ({ value, onChange, ...field }: DayFilterProps) => {
  const [typed, setTyped] = useFollowing(value);
  const [isLeft, setLeft] = useState(false);
  return (
    <DayField
      {...field}
      error={isLeft && typed !== '' && !isDay(typed) ? t('messages.day_invalid') : field.error}
      value={typed}
      onBlur={() => setLeft(true)}
      onChange={(next) => {
        setTyped(next);
        setLeft(false);
        if (next === '' || isDay(next)) onChange(next || undefined);
      }}
    />
  );
};
