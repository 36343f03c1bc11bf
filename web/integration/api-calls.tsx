import { Button, NativeSelect, Skeleton } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { AccountId } from '../../contract/accounts.ts';
import type { CallOutcome } from '../../contract/integration.ts';
import { t } from '../i18n/translate.ts';
import { LoadFailure } from '../ui/load-failure.tsx';
import { Panel } from '../ui/panel.tsx';
import { ApiCallRow } from './api-call-row.tsx';
import classes from './api-calls.module.css';
import { apiCallsQuery } from './integration-queries.ts';

const OUTCOMES: CallOutcome[] = ['SUCCEEDED', 'REFUSED', 'FAILED'];

/** The calls made with a secret in the last 24 hours, newest first. */
export const ApiCalls = ({ accountId }: { accountId: AccountId }) => {
  const [outcome, setOutcome] = useState<CallOutcome>();
  const found = useInfiniteQuery({
    ...apiCallsQuery(accountId, outcome),
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
  });
  const calls = found.data?.pages.flatMap((page) => page.calls) ?? [];
  const total = found.data?.pages.at(-1)?.total ?? 0;
  return (
    <Panel
      title={t('integration.calls')}
      tools={
        <Button
          variant="default"
          leftSection={<IconRefresh size={18} aria-hidden="true" />}
          loading={found.isRefetching}
          onClick={() => void found.refetch()}
        >
          {t('integration.refresh')}
        </Button>
      }
    >
      <div className={classes.bar}>
        <NativeSelect
          label={t('integration.status')}
          data={[
            { value: '', label: t('integration.any') },
            ...OUTCOMES.map((value) => ({ value, label: t(`integration.outcome.${value}`) })),
          ]}
          value={outcome ?? ''}
          onChange={({ currentTarget }) => setOutcome((currentTarget.value || undefined) as CallOutcome)}
        />
        {found.isSuccess && (
          <span className={classes.count} role="status">
            {t('integration.calls_shown', { shown: calls.length, total })}
          </span>
        )}
      </div>
      <div aria-busy={found.isFetching}>
        {found.isPending && <Skeleton height={160} radius="md" />}
        {found.isError && (
          <LoadFailure
            text={t('integration.calls_failed')}
            reason={found.error.message}
            tryAgain={t('layout.try_again')}
            retrying={found.isFetching}
            onRetry={found.refetch}
          />
        )}
        {found.isSuccess && calls.length === 0 && (
          <p className={classes.none}>
            {outcome ? t('integration.calls_none_such') : t('integration.calls_none')}
          </p>
        )}
        {calls.length > 0 && (
          <ul className={classes.list}>
            {calls.map((call) => (
              <ApiCallRow key={call._id} call={call} />
            ))}
          </ul>
        )}
      </div>
      {found.hasNextPage && (
        <div className={classes.more}>
          <Button
            variant="default"
            loading={found.isFetchingNextPage}
            onClick={() => void found.fetchNextPage()}
          >
            {t('layout.load_more')}
          </Button>
        </div>
      )}
    </Panel>
  );
};
