import { IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { memo } from 'react';
import { regionName } from '../../../ground/i18n/format.ts';
import { t } from '../../../ground/i18n/translate.ts';
import { statusText } from '../../../ground/message-status/status-tag.tsx';
import { shortId } from '../list/short-id.ts';
import { accountsQuery } from './list-query.ts';
import { defaultFilters, type MessageFilters, USUAL_COUNTRY_CODE } from './message-filters.ts';
import classes from './search-bar.module.css';

type Name = keyof MessageFilters;

interface Chip {
  name: Name;
  label: string;
  value: string;
}

/** The filters that are set, besides the days, which always are. */
const chipsOf = (filters: MessageFilters, accountName: string, admin = false): Chip[] => {
  const chips: Chip[] = [
    {
      name: 'status',
      label: t('messages.status'),
      value: filters.status && statusText(filters.status, admin),
    },
    {
      name: 'scheduled',
      label: t('messages.scheduled'),
      value: filters.scheduled && t('messages.due_later'),
    },
    { name: 'delivered', label: t('batches.delivered'), value: filters.delivered && t('log.yes') },
    { name: 'batchId', label: t('details.batch'), value: filters.batchId && shortId(filters.batchId) },
    {
      name: 'channel',
      label: t('messages.channel'),
      value: filters.channel && t(`send.channel.${filters.channel}`),
    },
    {
      name: 'type',
      label: t('messages.direction'),
      value: filters.type && (filters.type === 'incoming' ? t('messages.inbound') : t('messages.outbound')),
    },
    {
      name: 'phoneNumber',
      label: t('messages.phone_number'),
      value:
        filters.phoneNumber.trim() && `${filters.countryCode || USUAL_COUNTRY_CODE} ${filters.phoneNumber}`,
    },
    {
      name: 'countryCode',
      label: t('messages.country_code'),
      value: filters.phoneNumber.trim() ? '' : filters.countryCode,
    },
    { name: 'country', label: t('messages.country'), value: filters.country && regionName(filters.country) },
    { name: 'message', label: t('messages.contains'), value: filters.message },
    { name: '_id', label: t('messages.id'), value: filters._id.trim() },
    { name: 'identifier', label: t('messages.identifier'), value: filters.identifier.trim() },
    { name: 'accountId', label: t('messages.account'), value: filters.accountId && accountName },
    { name: 'phoneId', label: t('messages.phone_id'), value: filters.phoneId.trim() },
    { name: 'carrierNames', label: t('messages.carriers'), value: filters.carrierNames.join(', ') },
    { name: 'provider', label: t('messages.provider'), value: filters.provider.trim() },
    {
      name: 'method',
      label: t('messages.method'),
      value: filters.method && t(`messages.method.${filters.method}`),
    },
  ];
  return chips.filter(({ value }) => value !== '');
};

/** How many filters are set, besides the days. */
export const countSet = (filters: MessageFilters): number => chipsOf(filters, filters.accountId).length;

interface FilterChipsProps {
  filters: MessageFilters;
  admin: boolean;
  /** Opens the fields at one of them. */
  onOpen: (name: Name) => void;
  onRemove: (change: Partial<MessageFilters>) => void;
}

/** What the list is searched for. Each filter opens its field, and can be removed. */
export const FilterChips = memo(({ filters, admin, onOpen, onRemove }: FilterChipsProps) => {
  const { accountId, dateFrom, dateTo } = filters;
  const { data } = useQuery({ ...accountsQuery, enabled: accountId !== '' });
  const account = data?.accounts.find(({ _id }) => _id === accountId)?.email ?? accountId;
  return (
    <ul className={classes.chips}>
      <li>
        <button type="button" onClick={() => onOpen('dateFrom')}>
          {dateFrom === dateTo ? dateFrom : `${dateFrom} – ${dateTo}`}
        </button>
      </li>
      {chipsOf(filters, account, admin).map(({ name, label, value }) => (
        <li key={name}>
          <button type="button" onClick={() => onOpen(name)}>
            <span className={classes.chipLabel}>{label}:</span> {value}
          </button>
          <button
            type="button"
            aria-label={t('messages.remove_filter', { filter: label })}
            title={t('messages.remove_filter', { filter: label })}
            onClick={() =>
              // The code belonged to the number.
              onRemove({ [name]: defaultFilters()[name], ...(name === 'phoneNumber' && { countryCode: '' }) })
            }
          >
            <IconX size={13} aria-hidden="true" />
          </button>
        </li>
      ))}
    </ul>
  );
});
