import { NativeSelect, TextInput } from '@mantine/core';
import { memo } from 'react';
import { CHANNELS } from '../../../../contract/ground/channels.ts';
import type { SmsCountry } from '../../../../contract/traffic/startup.ts';
import { regionName } from '../../../ground/i18n/format.ts';
import { isDay } from '../../../ground/i18n/moment-text.ts';
import { t } from '../../../ground/i18n/translate.ts';
import { statusText } from '../../../ground/message-status/status-tag.tsx';
import { SearchDayField } from './day-field.tsx';
import { type MessageFilters, STATUSES, USUAL_COUNTRY_CODE } from './message-filters.ts';
import classes from './search-bar.module.css';

export interface FilterFieldsProps {
  draft: MessageFilters;
  /** Always the same function, so that typing in one field does not render the others. */
  onChange: (change: Partial<MessageFilters>) => void;
}

interface SearchFieldsProps extends FilterFieldsProps {
  admin: boolean;
  countries: SmsCountry[];
}

/** The faults of the two days, if any. */
export const dayFaults = ({
  dateFrom,
  dateTo,
}: Pick<MessageFilters, 'dateFrom' | 'dateTo'>): { from: string | false; to: string | false } => ({
  from: !isDay(dateFrom) && t('messages.day_invalid'),
  to:
    (!isDay(dateTo) && t('messages.day_invalid')) ||
    (isDay(dateFrom) && dateFrom > dateTo && t('messages.days_backwards')),
});

/** Countries may share a calling code, which is then named by the first. A code from the address is offered too. */
const codesOf = (countries: SmsCountry[], chosen: string): { value: string; label: string }[] => {
  const codes = new Map(countries.toReversed().map(({ countryCode, country }) => [countryCode, country]));
  const options = [...codes].reverse().map(([value, country]) => ({
    value,
    label: `${value} ${regionName(country)}`,
  }));
  const usual = { value: '', label: t('messages.any_country', { code: USUAL_COUNTRY_CODE }) };
  return chosen === '' || codes.has(chosen)
    ? [usual, ...options]
    : [usual, ...options, { value: chosen, label: chosen }];
};

type Change = Pick<FilterFieldsProps, 'onChange'>;
type Named = 'status' | 'channel' | 'type' | 'scheduled' | 'delivered';

const optionsOf = (name: Named, admin: boolean): { value: string; label: string }[] => {
  if (name === 'status') return STATUSES.map((value) => ({ value, label: statusText(value, admin) }));
  if (name === 'channel') return CHANNELS.map((value) => ({ value, label: t(`send.channel.${value}`) }));
  if (name === 'scheduled') return [{ value: 'true', label: t('messages.due_later') }];
  if (name === 'delivered') return [{ value: 'true', label: t('log.yes') }];
  return [
    { value: 'incoming', label: t('messages.inbound') },
    { value: 'outgoing', label: t('messages.outbound') },
  ];
};

interface ChoiceProps extends Change {
  name: Named;
  label: string;
  value: string;
  admin: boolean;
}

const Choice = memo(({ name, label, value, admin, onChange }: ChoiceProps) => (
  <NativeSelect
    size="xs"
    name={name}
    label={label}
    data={[{ value: '', label: t('messages.any') }, ...optionsOf(name, admin)]}
    value={value}
    onChange={({ currentTarget }) => onChange({ [name]: currentTarget.value })}
  />
));

interface CountryCodeProps extends Change {
  countries: SmsCountry[];
  value: string;
}

const CountryCode = memo(({ countries, value, onChange }: CountryCodeProps) => (
  <NativeSelect
    size="xs"
    label={t('messages.country_code')}
    data={codesOf(countries, value)}
    value={value}
    onChange={({ currentTarget }) => onChange({ countryCode: currentTarget.value })}
  />
));

interface TextProps extends Change {
  name: 'phoneNumber' | 'message' | '_id' | 'identifier' | 'batchId' | 'phoneId' | 'provider';
  label: string;
  value: string;
  maxLength: number;
  placeholder?: string;
  wide?: boolean;
  /** The id of the datalist with suggestions. */
  list?: string;
}

export const Text = memo(({ name, wide, onChange, ...field }: TextProps) => (
  <TextInput
    {...field}
    name={name}
    size="xs"
    className={wide ? classes.wide : undefined}
    autoComplete="off"
    spellCheck={false}
    onChange={({ currentTarget }) => onChange({ [name]: currentTarget.value })}
  />
));

/** The fields that every account may search by. */
export const SearchFields = ({ draft, onChange, admin, countries }: SearchFieldsProps) => {
  const faults = dayFaults(draft);
  const choice = { admin, onChange };
  return (
    <>
      <SearchDayField
        name="dateFrom"
        label={t('messages.date_from')}
        value={draft.dateFrom}
        error={faults.from}
        onChange={onChange}
      />
      <SearchDayField
        name="dateTo"
        label={t('messages.date_to')}
        value={draft.dateTo}
        error={faults.to}
        onChange={onChange}
      />
      <Choice name="status" label={t('messages.status')} value={draft.status} {...choice} />
      <Choice name="channel" label={t('messages.channel')} value={draft.channel} {...choice} />
      <Choice name="type" label={t('messages.direction')} value={draft.type} {...choice} />
      <Choice name="scheduled" label={t('messages.scheduled')} value={draft.scheduled} {...choice} />
      <Choice name="delivered" label={t('batches.delivered')} value={draft.delivered} {...choice} />
      <CountryCode countries={countries} value={draft.countryCode} onChange={onChange} />
      <Text
        name="phoneNumber"
        label={t('messages.phone_number')}
        placeholder="6111 2222"
        maxLength={320}
        value={draft.phoneNumber}
        onChange={onChange}
      />
      <Text
        name="message"
        label={t('messages.contains')}
        maxLength={200}
        value={draft.message}
        wide
        onChange={onChange}
      />
      <Text name="_id" label={t('messages.id')} maxLength={100} value={draft._id} wide onChange={onChange} />
      <Text
        name="identifier"
        label={t('messages.identifier')}
        maxLength={200}
        value={draft.identifier}
        wide
        onChange={onChange}
      />
      <Text
        name="batchId"
        label={t('details.batch')}
        maxLength={36}
        value={draft.batchId}
        wide
        onChange={onChange}
      />
    </>
  );
};
