import { Button, NativeSelect, TextInput, type TextInputProps } from '@mantine/core';
import { useState } from 'react';
import { t } from '../../i18n/translate.ts';
import lists from '../list.module.css';
import { DayFilter } from './day-field.tsx';

export interface SearchField extends Pick<TextInputProps, 'inputMode' | 'maxLength'> {
  name: string;
  label: string;
  /** What can be chosen, where nothing is typed. */
  options?: { value: string; label: string }[];
  isDay?: true;
}

type Draft = Record<string, string | undefined>;

interface SearchFormProps {
  label: string;
  fields: SearchField[];
  /** What is searched for now. */
  filter: Draft;
  onSearch: (draft: Draft) => void;
}

interface InputProps {
  field: SearchField;
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

const Input = ({ field: { name: _, label, options, isDay, ...typed }, value, onChange }: InputProps) => {
  if (isDay)
    return (
      <DayFilter label={label} pick={t('lists.pick_day', { label })} value={value} onChange={onChange} />
    );
  const given = {
    label,
    value: value ?? '',
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) => onChange(currentTarget.value),
  };
  return options ? (
    <NativeSelect data={options} {...given} />
  ) : (
    <TextInput autoComplete="off" {...typed} {...given} />
  );
};

/** Applied by Search, so that nothing is looked for while it is typed. */
export const SearchForm = ({ label, fields, filter, onSearch }: SearchFormProps) => {
  const [draft, setDraft] = useState(filter);
  const [clearings, setClearings] = useState(0);
  return (
    <search aria-label={label}>
      <form
        className={lists.filter}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          onSearch(draft);
        }}
      >
        {fields.map((field) => (
          <Input
            // What is typed of a day is only in its field until it is complete.
            key={`${field.name} ${clearings}`}
            field={field}
            value={draft[field.name]}
            onChange={(value) => setDraft((before) => ({ ...before, [field.name]: value }))}
          />
        ))}
        <div className={lists.tools}>
          <Button type="submit">{t('lists.search')}</Button>
          <Button
            variant="default"
            onClick={() => {
              setDraft({});
              setClearings(clearings + 1);
              onSearch({});
            }}
          >
            {t('messages.clear')}
          </Button>
        </div>
      </form>
    </search>
  );
};
