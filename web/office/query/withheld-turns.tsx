import { Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { WithheldTurn } from '../../../contract/office/query.ts';
import { call } from '../../ground/api/call.ts';
import { queryClient } from '../../ground/api/query-client.ts';
import { useMay } from '../../ground/api/use-may.ts';
import { formatTime } from '../../ground/i18n/format.ts';
import { t } from '../../ground/i18n/translate.ts';
import { toastFailure, toastSuccess } from '../../ground/ui/feedback/toast.ts';
import { Panel } from '../../ground/ui/layout/panel.tsx';
import classes from './query.module.css';
import { standingQuery, withheldQuery } from './query-queries.ts';

/** For owners: who has no turn just now, and how to give it back. Nothing, where everybody has one. */
export const WithheldTurns = () => {
  const may = useMay()('DELETE /qf/withheld/:accountId');
  const { data: turns = [] } = useQuery({ ...withheldQuery, enabled: may, refetchOnMount: 'always' });
  const giving = useMutation({
    mutationFn: (accountId: WithheldTurn['accountId']) =>
      call('DELETE /qf/withheld/:accountId', { params: { accountId } }),
    onSuccess: () => toastSuccess(t('qf.gave_back')),
    onError: ({ message }) => toastFailure(message),
    onSettled: async () => {
      for (const { queryKey } of [withheldQuery, standingQuery])
        await queryClient.invalidateQueries({ queryKey });
    },
    networkMode: 'always',
  });
  if (turns.length === 0) return null;
  return (
    <Panel title={t('qf.withheld')}>
      <ul className={classes.turns}>
        {turns.map(({ accountId, email, until }) => (
          <li key={accountId}>
            <span>
              {t('qf.withheld_from', { who: email ?? t('qf.service_key'), until: formatTime(until) })}
            </span>
            <Button
              size="compact-sm"
              variant="default"
              loading={giving.isPending && giving.variables === accountId}
              onClick={() => giving.mutate(accountId)}
            >
              {t('qf.give_back')}
            </Button>
          </li>
        ))}
      </ul>
    </Panel>
  );
};
