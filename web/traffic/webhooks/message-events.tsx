import { type ReactNode, useMemo } from 'react';
import { t } from '../../ground/i18n/translate.ts';
import { DataList } from '../../ground/ui/data-list/data-list.tsx';
import { Panel } from '../../ground/ui/layout/panel.tsx';
import { sharedColumns } from './event-columns.tsx';
import type { WebhookEvent } from './webhook-queries.ts';

interface MessageEventsProps {
  events: WebhookEvent[];
  /** Formats times as the rest of the page does. */
  momentOf: (iso: string) => string;
  tools?: ReactNode;
}

const idOf = ({ _id }: WebhookEvent): string => _id;

/** The webhook events of a message, and their answers. */
export const MessageEvents = ({ events, momentOf, tools }: MessageEventsProps) => {
  const columns = useMemo(() => sharedColumns(momentOf), [momentOf]);
  return (
    <Panel title={t('details.events')} tools={events.length > 0 && tools}>
      <DataList
        name="message-events"
        label={t('details.events')}
        columns={columns}
        rows={events}
        rowId={idOf}
        empty={t('details.events_none')}
      />
    </Panel>
  );
};
