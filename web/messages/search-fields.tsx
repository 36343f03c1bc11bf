import { NativeSelect, TextInput } from '@mantine/core';
import { regionName } from '../i18n/format.ts';
import { t } from '../i18n/translate.ts';
import type { Country } from './country-select.tsx';
import { DayField } from './day-field.tsx';
import { isDay } from './days.ts';
import {
  ADMIN_STATUSES,
  CUSTOMER_STATUSES,
  LISTED_CHANNELS,
  type MessageFilters,
} from './message-filters.ts';
import classes from './search-bar.module.css';

export interface FieldsProps {
  draft: MessageFilters;
  onChange: (change: Partial<MessageFilters>) => void;
}

interface SearchFieldsProps extends FieldsProps {
  admin: boolean;
  countries: Country[];
}

/** Why a search can't be made with these days, if it can't. */
export const dayFaults = ({
  dateFrom,
  dateTo,
}: MessageFilters): { from: string | false; to: string | false } => ({
  from: !isDay(dateFrom) && t('messages.day_invalid'),
  to:
    (!isDay(dateTo) && t('messages.day_invalid')) ||
    (isDay(dateFrom) && dateFrom > dateTo && t('messages.days_backwards')),
});

/** Several countries share a calling code; the first names it. One that the address brought is offered too. */
const codesOf = (countries: Country[], chosen: string): { value: string; label: string }[] => {
  const codes = new Map(countries.toReversed().map(({ countryCode, country }) => [countryCode, country]));
  const options = [...codes].reverse().map(([value, country]) => ({
    value,
    label: `${value} ${regionName(country)}`,
  }));
  return codes.has(chosen) ? options : [...options, { value: chosen, label: chosen }];
};

/** What everybody may search by. */
export const SearchFields = ({ draft, onChange, admin, countries }: SearchFieldsProps) => {
  const faults = dayFaults(draft);
  const any = { value: '', label: t('messages.any') };
  return (
    <>
      <DayField
        label={t('messages.date_from')}
        value={draft.dateFrom}
        error={faults.from}
        onChange={(dateFrom) => onChange({ dateFrom })}
      />
      <DayField
        label={t('messages.date_to')}
        value={draft.dateTo}
        error={faults.to}
        onChange={(dateTo) => onChange({ dateTo })}
      />
      <NativeSelect
        size="xs"
        label={t('messages.status')}
        data={[any, ...(admin ? ADMIN_STATUSES : CUSTOMER_STATUSES)]}
        value={draft.status}
        onChange={({ currentTarget }) =>
          onChange({ status: currentTarget.value as MessageFilters['status'] })
        }
      />
      <NativeSelect
        size="xs"
        label={t('messages.channel')}
        data={[any, ...LISTED_CHANNELS.map((value) => ({ value, label: t(`send.channel.${value}`) }))]}
        value={draft.channel}
        onChange={({ currentTarget }) =>
          onChange({ channel: currentTarget.value as MessageFilters['channel'] })
        }
      />
      <NativeSelect
        size="xs"
        label={t('messages.direction')}
        data={[
          any,
          { value: 'incoming', label: t('messages.inbound') },
          { value: 'outgoing', label: t('messages.outbound') },
        ]}
        value={draft.type}
        onChange={({ currentTarget }) => onChange({ type: currentTarget.value as MessageFilters['type'] })}
      />
      <NativeSelect
        size="xs"
        label={t('messages.country_code')}
        data={codesOf(countries, draft.countryCode)}
        value={draft.countryCode}
        onChange={({ currentTarget }) => onChange({ countryCode: currentTarget.value })}
      />
      <TextInput
        size="xs"
        label={t('messages.phone_number')}
        placeholder="6111 2222"
        maxLength={320}
        autoComplete="off"
        value={draft.phoneNumber}
        onChange={({ currentTarget }) => onChange({ phoneNumber: currentTarget.value })}
      />
      <TextInput
        size="xs"
        className={classes.wide}
        label={t('messages.contains')}
        maxLength={200}
        autoComplete="off"
        value={draft.message}
        onChange={({ currentTarget }) => onChange({ message: currentTarget.value })}
      />
      <TextInput
        size="xs"
        className={classes.wide}
        label={t('messages.id')}
        maxLength={100}
        autoComplete="off"
        spellCheck={false}
        value={draft._id}
        onChange={({ currentTarget }) => onChange({ _id: currentTarget.value })}
      />
    </>
  );
};
