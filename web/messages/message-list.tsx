import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import type { AccountId } from '../../contract/accounts.ts';
import type { SmsCountry } from '../../contract/startup.ts';
import { formatCount } from '../i18n/format.ts';
import { t } from '../i18n/translate.ts';
import { LoadFailure } from '../ui/load-failure.tsx';
import { Notice } from '../ui/notice.tsx';
import { toastSuccess } from '../ui/toast.ts';
import { ExportMessages } from './export-messages.tsx';
import { Found } from './found.tsx';
import { listQuery } from './list-query.ts';
import { type MessageFilters, PAGE_SIZE, sameFilters } from './message-filters.ts';
import classes from './message-list.module.css';
import type { Party } from './message-row.tsx';
import { MessageTable } from './message-table.tsx';
import { pageCount } from './page-links.ts';
import { Pager } from './pager.tsx';
import { SearchBar } from './search-bar.tsx';
import type { Sorting } from './sort-head.tsx';
import { useStable } from './use-stable.ts';

interface MessageListProps {
  accountId: AccountId;
  admin: boolean;
  countries: SmsCountry[];
  carriers: { value: string; label: string }[];
  filters: MessageFilters;
  /** Whether the address had an invalid filter. */
  broken: boolean;
  onFilters: (filters: MessageFilters, options?: { replace: boolean }) => void;
  onOpen: (path: string) => void;
}

/** A country code that the select does not offer stays part of the number. */
const partyFilter = ({ countryCode, number }: Party, countries: SmsCountry[]): Partial<MessageFilters> => {
  if (countryCode === '') return { phoneNumber: number };
  return countries.some((country) => country.countryCode === countryCode)
    ? { countryCode, phoneNumber: number }
    : { phoneNumber: `${countryCode}${number}` };
};

/** All messages that match the search, fifty a page. */
export const MessageList = (props: MessageListProps) => {
  const { accountId, admin, countries, carriers, filters, broken, onFilters } = props;
  const list = useQuery(listQuery(accountId, filters));
  const messages = useMemo(
    () => (list.isError ? [] : (list.data?.messages ?? [])),
    [list.isError, list.data],
  );
  const total = list.isError ? 0 : (list.data?.total ?? 0);
  const pages = pageCount(total, PAGE_SIZE);
  const current = !list.isPlaceholderData && list.isSuccess;

  const refresh = async () => {
    const { data, isSuccess } = await list.refetch();
    if (isSuccess) toastSuccess(t('messages.refreshed', { total: formatCount(data.total) }));
  };

  // Messages may have been removed since the address was saved.
  const lastPage = current && total > 0 && filters.page > pages ? pages : undefined;
  useEffect(() => {
    if (lastPage) onFilters({ ...filters, page: lastPage }, { replace: true });
  }, [lastPage, filters, onFilters]);

  const search = (next: MessageFilters) => {
    if (sameFilters(next, filters)) void refresh();
    else onFilters(next);
  };
  const onPage = useStable((page: number) => onFilters({ ...filters, page }));
  const onSort = useStable((sorting: Sorting) => onFilters({ ...filters, ...sorting, page: 1 }));
  const onParty = useStable((party: Party) =>
    onFilters({ ...filters, ...partyFilter(party, countries), page: 1 }),
  );
  const onOpen = useStable(props.onOpen);
  const sorting = useMemo(
    () => ({ sort: filters.sort, order: filters.order }),
    [filters.sort, filters.order],
  );

  return (
    <>
      {broken && (
        <div className={classes.notice}>
          <Notice title={t('messages.broken')} text={t('messages.broken_hint')} />
        </div>
      )}
      <SearchBar
        filters={filters}
        admin={admin}
        countries={countries}
        carriers={carriers}
        onSearch={search}
        summary={
          <Found
            loading={list.isFetching}
            before={(filters.page - 1) * PAGE_SIZE}
            shown={messages.length}
            total={total}
          />
        }
        actions={<ExportMessages accountId={accountId} filters={filters} total={current ? total : 0} />}
        refreshedAt={list.dataUpdatedAt}
        onRefresh={() => void refresh()}
      />
      <section className={classes.list} aria-label={t('route.messages')} aria-busy={list.isFetching}>
        {list.isError && (
          <LoadFailure
            text={t('messages.failed')}
            reason={list.error.message}
            tryAgain={t('layout.try_again')}
            retrying={list.isFetching}
            onRetry={() => void list.refetch()}
          />
        )}
        {list.isPending && <Skeleton height={320} radius="md" />}
        {messages.length > 0 && (
          <>
            <Pager label={t('messages.pages_above')} page={filters.page} pages={pages} onPage={onPage} />
            <MessageTable
              messages={messages}
              admin={admin}
              sorting={sorting}
              onSort={onSort}
              onParty={onParty}
              onOpen={onOpen}
            />
            <Pager label={t('messages.pages_below')} page={filters.page} pages={pages} onPage={onPage} />
          </>
        )}
        {current && messages.length === 0 && <p className={classes.empty}>{t('messages.none')}</p>}
      </section>
    </>
  );
};
