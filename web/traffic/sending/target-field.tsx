import { Autocomplete } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { HTMLInputTypeAttribute, RefObject } from 'react';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import { t } from '../../ground/i18n/translate.ts';
import { ANNOUNCED } from '../../ground/ui/forms/form-fields.tsx';
import { contactsQuery, KEYWORD_MIN_LENGTH } from './sending-queries.ts';
import classes from './target-field.module.css';

const DEBOUNCE_MS = 200;

interface TargetFieldProps {
  accountId: AccountId;
  email: boolean;
  value: string;
  error: string | undefined;
  ref: RefObject<HTMLInputElement | null>;
  onChange: (value: string) => void;
  /** Called when the field was left or a contact was chosen: the value is complete. */
  onSettled: (value: string) => void;
}

const PHONE = { type: 'tel' as HTMLInputTypeAttribute, inputMode: 'tel', placeholder: '6111 2222' } as const;
const EMAIL = { type: 'email' as HTMLInputTypeAttribute, inputMode: 'email' } as const;

/** Contacts store numbers without the spaces, dashes and brackets that people write. */
const keywordOf = (typed: string) =>
  /^[+\d\s().-]+$/.test(typed) ? typed.replace(/[\s().-]/g, '') : typed.trim();

/** The recipient, with suggestions of contacts whose number, address or name contains what is typed. */
export const TargetField = ({
  accountId,
  email,
  value,
  error,
  ref,
  onChange,
  onSettled,
}: TargetFieldProps) => {
  const keyword = keywordOf(value);
  const [asked] = useDebouncedValue(keyword, DEBOUNCE_MS);
  const { data } = useQuery({ ...contactsQuery(accountId, asked), placeholderData: keepPreviousData });
  const fitting = (data?.contacts ?? []).filter(({ channel }) => (channel === 'email') === email);
  const contacts = keyword.length < KEYWORD_MIN_LENGTH ? [] : [...new Set(fitting.map(({ phone }) => phone))];
  const names = new Map(fitting.map(({ phone, name }) => [phone, name]));
  return (
    <Autocomplete
      ref={ref}
      size="md"
      label={email ? t('send.address') : t('send.phone')}
      {...(email ? EMAIL : PHONE)}
      autoComplete="off"
      spellCheck={false}
      data={contacts}
      filter={({ options }) => options}
      renderOption={({ option }) => (
        <span className={classes.contact}>
          {option.value}
          {names.get(option.value) && <span className={classes.name}>{names.get(option.value)}</span>}
        </span>
      )}
      // Inside the page's main region, so that screen readers find it there.
      comboboxProps={{ withinPortal: false }}
      value={value}
      error={error}
      errorProps={ANNOUNCED}
      maxLength={320}
      onChange={onChange}
      onOptionSubmit={onSettled}
      onBlur={({ currentTarget }) => onSettled(currentTarget.value)}
    />
  );
};
