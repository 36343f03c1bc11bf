import { memo } from 'react';
import { t } from '../../../ground/i18n/translate.ts';
import { DayField as Field } from '../../../ground/ui/forms/day-field.tsx';

interface DayFieldProps {
  name: 'dateFrom' | 'dateTo';
  label: string;
  value: string;
  error: string | false;
  onChange: (change: { dateFrom?: string; dateTo?: string }) => void;
}

export const SearchDayField = memo(({ name, onChange, ...field }: DayFieldProps) => (
  <Field
    {...field}
    name={name}
    size="xs"
    pick={t('lists.pick_day', { label: field.label })}
    onChange={(typed) => onChange({ [name]: typed })}
  />
));
