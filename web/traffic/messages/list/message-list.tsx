import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useEffect, useMemo, useState } from 'react';
import type { AccountId } from '../../../../contract/customer/accounts.ts';
import type { MessageSort } from '../../../../contract/traffic/message-search.ts';
import type { MessageId } from '../../../../contract/traffic/messages.ts';
import type { SmsCountry } from '../../../../contract/traffic/startup.ts';
import { isQuiet } from '../../../ground/api/follow.ts';
import { formatCount } from '../../../ground/i18n/format.ts';
import { t } from '../../../ground/i18n/translate.ts';
import { DataList } from '../../../ground/ui/data-list/data-list.tsx';
import { NO_ROWS } from '../../../ground/ui/data-list/no-rows.ts';
import { Notice } from '../../../ground/ui/feedback/notice.tsx';
import { toastSuccess } from '../../../ground/ui/feedback/toast.ts';
import lists from '../../../ground/ui/list.module.css';
import { useStable } from '../../../ground/ui/use-stable.ts';
import bulk from '../bulk/bulk.module.css';
import type { BulkAction } from '../bulk/bulk-query.ts';
import { useHeld } from '../bulk/use-held.ts';
import { MessagePanel } from '../details/message-panel.tsx';
import { AutoRefresh } from '../search/auto-refresh.tsx';
import { ExportMessages } from '../search/export-messages.tsx';
import { Found } from '../search/found.tsx';
import { bulkSearch, type ListedMessage, listQuery } from '../search/list-query.ts';
import { type MessageFilters, PAGE_SIZE, sameFilters } from '../search/message-filters.ts';
import { SearchBar } from '../search/search-bar.tsx';
import { messageColumns, type Party } from './message-columns.tsx';
import classes from './message-list.module.css';
import { pageCount } from './page-links.ts';
import { Pager } from './pager.tsx';
import { SelectedActs } from './selected-acts.tsx';
import { shortId } from './short-id.ts';
import { useSelection } from './use-selection.ts';

/** Only admins load it. */
const BulkRuns = lazy(() => import('../bulk/bulk-runs.tsx').then((module) => ({ default: module.BulkRuns })));

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
  /** All that is known about one message, for the panel beside the list. */
  details: (message: ListedMessage) => ReactNode;
}

/** A country code that the select does not offer stays part of the number. */
const partyFilter = ({ countryCode, number }: Party, countries: SmsCountry[]): Partial<MessageFilters> => {
  if (countryCode === '') return { phoneNumber: number };
  return countries.some((country) => country.countryCode === countryCode)
    ? { countryCode, phoneNumber: number }
    : { phoneNumber: `${countryCode}${number}` };
};

const idOf = ({ _id }: ListedMessage): string => _id;

interface AdminToolsProps extends Pick<MessageListProps, 'filters' | 'onFilters'> {
  held: boolean;
  refreshedAt: number;
  refresh: () => void;
}

const AdminTools = ({ filters, onFilters, ...refreshing }: AdminToolsProps) => (
  <>
    <Link to="/dashboard/in-doubt" className={bulk.link}>
      {t('doubt.title')}
    </Link>
    <AutoRefresh
      {...refreshing}
      enabled={filters.autoRefresh}
      onToggle={(autoRefresh) => onFilters({ ...filters, autoRefresh })}
    />
  </>
);

/** An address may name a page whose messages were removed since: then it goes to the last one. */
const useLastPage = (last: number | undefined, { filters, onFilters }: MessageListProps) =>
  useEffect(() => {
    if (last) onFilters({ ...filters, page: last }, { replace: true });
  }, [last, filters, onFilters]);

/** The messages of the search, which are not asked for again while they are held. */
const useListed = (props: MessageListProps, held: boolean) => {
  const { accountId, filters, onFilters } = props;
  const list = useQuery({
    ...listQuery(accountId, filters),
    ...(held && { refetchInterval: false as const, refetchOnWindowFocus: false }),
  });
  const { messages = NO_ROWS, total = 0 } = list.data ?? {};
  const pages = pageCount(total, PAGE_SIZE);
  const current = !list.isPlaceholderData && list.isSuccess;

  const refresh = async () => {
    const { data, isSuccess } = await list.refetch();
    if (isSuccess) toastSuccess(t('messages.refreshed', { total: formatCount(data.total) }));
  };

  useLastPage(current && total > 0 && filters.page > pages ? pages : undefined, props);

  const search = (next: MessageFilters) => {
    if (sameFilters(next, filters)) void refresh();
    else onFilters(next);
  };
  return { list, messages, total, pages, current, refresh, search };
};

const Broken = () => (
  <div className={classes.notice}>
    <Notice title={t('messages.broken')} text={t('messages.broken_hint')} />
  </div>
);

const Summary = ({ list, messages, total, page }: ReturnType<typeof useListed> & { page: number }) => (
  <Found
    loading={list.isFetching && !isQuiet(list)}
    failed={list.isError}
    before={(page - 1) * PAGE_SIZE}
    shown={messages.length}
    total={total}
  />
);

/** All messages that match the search, fifty a page. */
export const MessageList = (props: MessageListProps) => {
  const { accountId, admin, countries, carriers, filters, broken, onFilters, details } = props;
  const wanted = bulkSearch(filters);
  const { selected, count, isEvery, onSelect, chooseEvery } = useSelection(wanted);
  const isHeld = useHeld(count);
  const [begun, setBegun] = useState<BulkAction[]>([]);
  const listed = useListed(props, isHeld);
  const { list, messages, total, pages, current, refresh, search } = listed;
  const onPage = useStable((page: number) => onFilters({ ...filters, page }));
  const onParty = useStable((party: Party) =>
    onFilters({ ...filters, ...partyFilter(party, countries), page: 1 }),
  );
  const onOpen = useStable(props.onOpen);
  const onBulkBegin = (action: BulkAction) => {
    setBegun((before) => [...before, action]);
    onSelect({});
  };
  const columns = useMemo(() => messageColumns(admin, { onParty, onOpen }), [admin, onParty, onOpen]);
  const pager = (label: string) =>
    (messages.length > 0 || list.isPending) && (
      <Pager label={label} page={filters.page} pages={pages} onPage={onPage} />
    );

  return (
    <div className={classes.below}>
      {broken && <Broken />}
      <SearchBar
        filters={filters}
        admin={admin}
        countries={countries}
        carriers={carriers}
        onSearch={search}
        summary={<Summary {...listed} page={filters.page} />}
      />
      <section className={`${lists.frame} ${classes.list}`} aria-label={t('route.messages')}>
        <DataList
          name={admin ? 'messages-admin' : 'messages'}
          label={t('route.messages')}
          columns={columns}
          rows={messages}
          rowId={idOf}
          query={list}
          failed={t('messages.failed')}
          empty={t('messages.none')}
          expected={PAGE_SIZE}
          sorting={filters}
          onSort={({ sort, order }) => onFilters({ ...filters, sort: sort as MessageSort, order, page: 1 })}
          panel={{
            title: ({ _id }) => `${t('messages.message')} ${shortId(_id)}`,
            content: (message) => (
              <MessagePanel message={message} admin={admin} onOpen={onOpen}>
                {details(message)}
              </MessagePanel>
            ),
          }}
          selection={
            admin
              ? {
                  selected,
                  onSelect,
                  matching: { count: total, chosen: isEvery, onChoose: chooseEvery },
                  actions: (
                    <SelectedActs
                      ids={Object.keys(selected) as MessageId[]}
                      every={isEvery ? total : undefined}
                      search={wanted}
                      onBegin={onBulkBegin}
                    />
                  ),
                }
              : undefined
          }
          pages={pager(t('messages.pages_above'))}
          tools={
            <>
              {admin && (
                <AdminTools
                  filters={filters}
                  held={isHeld}
                  refreshedAt={list.dataUpdatedAt}
                  onFilters={onFilters}
                  refresh={() => void refresh()}
                />
              )}
              <ExportMessages accountId={accountId} filters={filters} total={current ? total : 0} />
            </>
          }
        />
        {admin && (
          <Suspense>
            <BulkRuns accountId={accountId} begun={begun} onEnd={() => void list.refetch()} />
          </Suspense>
        )}
        {pager(t('messages.pages_below'))}
      </section>
    </div>
  );
};
