import { NativeSelect } from '@mantine/core';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import { MOST_EVENTS_PER_CALL } from '../../../contract/traffic/event-values.ts';
import { call } from '../../ground/api/call.ts';
import { t } from '../../ground/i18n/translate.ts';
import { useSave } from '../../ground/ui/forms/use-save.ts';
import type { Endpoint } from './webhook-queries.ts';
import classes from './webhooks.module.css';

const OFFERED = [1, 10, 50, 100, 200, MOST_EVENTS_PER_CALL];

interface EventsPerCallProps {
  accountId: AccountId;
  endpoint: Pick<Endpoint, 'eventsPerCall'>;
}

/** Saves when another number is chosen. A number that was set by the API is offered too. */
export const EventsPerCall = ({ accountId, endpoint: { eventsPerCall } }: EventsPerCallProps) => {
  const save = useSave((wanted: number) =>
    call('PUT /account/:accountId/webhook', { params: { accountId }, body: { eventsPerCall: wanted } }),
  );
  const numbers = [...new Set([...OFFERED, eventsPerCall])].sort((a, b) => a - b);
  return (
    <NativeSelect
      size="md"
      className={classes.number}
      label={t('events.per_call')}
      description={t('events.per_call_hint')}
      data={numbers.map((count) => ({
        value: String(count),
        label: count === 1 ? t('events.per_call_one') : t('events.per_call_many', { count }),
      }))}
      value={String(save.isPending ? save.variables : eventsPerCall)}
      onChange={({ currentTarget }) => save.mutate(Number(currentTarget.value))}
    />
  );
};
