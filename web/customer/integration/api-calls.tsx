import { Button, NativeSelect } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import type { CallOutcome } from '../../../contract/customer/integration.ts';
import { t } from '../../ground/i18n/translate.ts';
import { anyOf } from '../../ground/ui/any-of.ts';
import { DataList } from '../../ground/ui/data-list/data-list.tsx';
import { Panel } from '../../ground/ui/layout/panel.tsx';
import classes from './api-calls.module.css';
import { CALL_COLUMNS, CallDetails, callName } from './call-columns.tsx';
import { type ApiCall, apiCallsQuery } from './integration-queries.ts';

const OUTCOMES: CallOutcome[] = ['SUCCEEDED', 'REFUSED', 'FAILED'];

const idOf = ({ _id }: ApiCall): string => _id;

/** The calls made with a secret in the last 24 hours, newest first. */
export const ApiCalls = ({ accountId }: { accountId: AccountId }) => {
  const [outcome, setOutcome] = useState<CallOutcome>();
  const found = useInfiniteQuery({
    ...apiCallsQuery(accountId, outcome),
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
  });
  const calls = useMemo(() => found.data?.pages.flatMap((page) => page.calls) ?? [], [found.data]);
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
          data={anyOf(t('integration.any'), OUTCOMES, (value) => t(`integration.outcome.${value}`))}
          value={outcome ?? ''}
          onChange={({ currentTarget }) => setOutcome((currentTarget.value || undefined) as CallOutcome)}
        />
        {found.isSuccess && (
          <span className={classes.count} role="status">
            {t('integration.calls_shown', { shown: calls.length, total })}
          </span>
        )}
      </div>
      <DataList
        name="api-calls"
        label={t('integration.calls')}
        columns={CALL_COLUMNS}
        rows={calls}
        rowId={idOf}
        query={found}
        failed={t('integration.calls_failed')}
        empty={outcome ? t('integration.calls_none_such') : t('integration.calls_none')}
        panel={{ title: callName, content: (call) => <CallDetails call={call} /> }}
      />
    </Panel>
  );
};
