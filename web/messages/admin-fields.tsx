import { MultiSelect, NativeSelect, Select, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { t } from '../i18n/translate.ts';
import { accountsQuery, lanesQuery } from './list-query.ts';
import { METHODS, type MessageFilters } from './message-filters.ts';
import classes from './search-bar.module.css';
import type { FieldsProps } from './search-fields.tsx';

/** Of thousands of accounts only so many are offered at once; more letters find the rest. */
const OFFERED = 30;

const AccountField = ({ draft, onChange }: FieldsProps) => {
  const { data, isError } = useQuery(accountsQuery);
  const known = (data?.accounts ?? []).map(({ _id, email }) => ({ value: _id as string, label: email }));
  const chosen = draft.accountId;
  const missing = chosen !== '' && !known.some(({ value }) => value === chosen);
  return (
    <Select
      size="xs"
      className={classes.wide}
      label={t('messages.account')}
      placeholder={t('messages.any')}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': t('messages.clear_account') }}
      limit={OFFERED}
      nothingFoundMessage={t('messages.no_account')}
      error={isError && t('messages.accounts_failed')}
      data={missing ? [...known, { value: chosen, label: chosen }] : known}
      value={chosen || null}
      onChange={(accountId) => onChange({ accountId: accountId ?? '' })}
    />
  );
};

interface AdminFieldsProps extends FieldsProps {
  carriers: { value: string; label: string }[];
}

/** What only admins may search by. */
export const AdminFields = ({ draft, onChange, carriers }: AdminFieldsProps) => {
  const phones = useId();
  const providers = useId();
  const { data } = useQuery(lanesQuery);
  const lanes = data?.lanes ?? [];
  const unknown = draft.carrierNames.filter((name) => !carriers.some(({ value }) => value === name));
  return (
    <>
      <AccountField draft={draft} onChange={onChange} />
      <TextInput
        size="xs"
        label={t('messages.phone_id')}
        maxLength={100}
        autoComplete="off"
        spellCheck={false}
        list={phones}
        value={draft.phoneId}
        onChange={({ currentTarget }) => onChange({ phoneId: currentTarget.value })}
      />
      <datalist id={phones}>
        {lanes.map(({ name }) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <MultiSelect
        size="xs"
        className={classes.wide}
        label={t('messages.carriers')}
        placeholder={draft.carrierNames.length > 0 ? undefined : t('messages.any')}
        searchable
        data={[...carriers, ...unknown]}
        value={draft.carrierNames}
        onChange={(carrierNames) => onChange({ carrierNames })}
      />
      <TextInput
        size="xs"
        label={t('messages.provider')}
        placeholder={t('messages.any')}
        maxLength={100}
        autoComplete="off"
        spellCheck={false}
        list={providers}
        value={draft.provider}
        onChange={({ currentTarget }) => onChange({ provider: currentTarget.value })}
      />
      <datalist id={providers}>
        {[...new Set(lanes.map(({ provider }) => provider))].map((provider) => (
          <option key={provider} value={provider} />
        ))}
      </datalist>
      <NativeSelect
        size="xs"
        label={t('messages.method')}
        data={[
          { value: '', label: t('messages.any') },
          ...METHODS.map((value) => ({ value, label: t(`messages.method.${value}`) })),
        ]}
        value={draft.method}
        onChange={({ currentTarget }) =>
          onChange({ method: currentTarget.value as MessageFilters['method'] })
        }
      />
    </>
  );
};
