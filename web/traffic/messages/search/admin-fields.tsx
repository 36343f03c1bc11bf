import { MultiSelect, NativeSelect, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { memo, useId, useMemo } from 'react';
import { SIM_METHODS } from '../../../../contract/traffic/message-values.ts';
import { formatCount } from '../../../ground/i18n/format.ts';
import { t } from '../../../ground/i18n/translate.ts';
import { accountsQuery, laneNamesQuery } from './list-query.ts';
import { isAccountId, type MessageFilters } from './message-filters.ts';
import classes from './search-bar.module.css';
import { type FilterFieldsProps, Text } from './search-fields.tsx';

/** How many of the accounts are offered at the same time; typing more characters finds the others. */
const OFFERED = 30;

interface AccountFieldProps extends Pick<FilterFieldsProps, 'onChange'> {
  chosen: string;
}

const AccountField = memo(({ chosen, onChange }: AccountFieldProps) => {
  const { data, isError } = useQuery(accountsQuery);
  const known = useMemo(
    () =>
      (data?.accounts ?? []).map(({ _id, email, closedAt }) => ({
        value: _id as string,
        label: closedAt ? t('messages.closed_account', { email }) : email,
      })),
    [data],
  );
  // An id can be typed in full: the oldest accounts are not among those that are offered.
  const onTyped = (typed: string) => {
    const id = typed.trim().toLowerCase();
    if (id !== chosen && isAccountId(id)) onChange({ accountId: id });
  };
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
      description={data?.more && t('messages.accounts_more', { count: formatCount(known.length) })}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      error={isError && t('messages.accounts_failed')}
      data={missing ? [...known, { value: chosen, label: chosen }] : known}
      value={chosen || null}
      onSearchChange={onTyped}
      onChange={(accountId) => onChange({ accountId: accountId ?? '' })}
    />
  );
});

interface CarriersProps extends Pick<FilterFieldsProps, 'onChange'> {
  carriers: { value: string; label: string }[];
  /** Whose networks lanes go out by. */
  others: string;
  chosen: string[];
}

const CarriersField = memo(({ carriers, others, chosen, onChange }: CarriersProps) => {
  const unknown = [...new Set([...others.split('\n'), ...chosen])].filter(
    (name) => name !== '' && !carriers.some(({ value }) => value === name),
  );
  return (
    <MultiSelect
      size="xs"
      className={classes.wide}
      label={t('messages.carriers')}
      placeholder={chosen.length > 0 ? undefined : t('messages.any')}
      searchable
      data={[...carriers, ...unknown]}
      value={chosen}
      onChange={(carrierNames) => onChange({ carrierNames })}
    />
  );
});

interface MethodProps extends Pick<FilterFieldsProps, 'onChange'> {
  value: MessageFilters['method'];
}

const MethodField = memo(({ value, onChange }: MethodProps) => (
  <NativeSelect
    size="xs"
    name="method"
    label={t('messages.method')}
    data={[
      { value: '', label: t('messages.any') },
      ...SIM_METHODS.map((method) => ({ value: method, label: t(`messages.method.${method}`) })),
    ]}
    value={value}
    onChange={({ currentTarget }) => onChange({ method: currentTarget.value as MessageFilters['method'] })}
  />
));

interface AdminFieldsProps extends FilterFieldsProps {
  carriers: { value: string; label: string }[];
}

/** The fields that only admins may search by. */
export const AdminFields = ({ draft, onChange, carriers }: AdminFieldsProps) => {
  const phones = useId();
  const providers = useId();
  const { data } = useQuery(laneNamesQuery);
  const lanes = data?.lanes ?? [];
  return (
    <>
      <AccountField chosen={draft.accountId} onChange={onChange} />
      <Text
        name="phoneId"
        label={t('messages.phone_id')}
        maxLength={100}
        list={phones}
        value={draft.phoneId}
        onChange={onChange}
      />
      <datalist id={phones}>
        {[...new Set(lanes.flatMap(({ phoneName }) => phoneName || []))].map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <CarriersField
        carriers={carriers}
        others={lanes.map(({ carrierName }) => carrierName).join('\n')}
        chosen={draft.carrierNames}
        onChange={onChange}
      />
      <Text
        name="provider"
        label={t('messages.provider')}
        placeholder={t('messages.any')}
        maxLength={100}
        list={providers}
        value={draft.provider}
        onChange={onChange}
      />
      <datalist id={providers}>
        {[...new Set(lanes.flatMap(({ provider, route }) => [route, provider].filter(Boolean)))].map(
          (name) => (
            <option key={name} value={name} />
          ),
        )}
      </datalist>
      <MethodField value={draft.method} onChange={onChange} />
    </>
  );
};
