import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type ComponentProps, useMemo, useRef, useState } from 'react';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import { CHANNELS, type Channel } from '../../../contract/ground/channels.ts';
import { call } from '../../ground/api/call.ts';
import { storedAccountId } from '../../ground/api/session.ts';
import { useMay } from '../../ground/api/use-may.ts';
import { formatDateTime } from '../../ground/i18n/format.ts';
import { t } from '../../ground/i18n/translate.ts';
import type { Column } from '../../ground/ui/data-list/column.ts';
import { DataList } from '../../ground/ui/data-list/data-list.tsx';
import { anything, FieldsDialog, needed } from '../../ground/ui/forms/fields-dialog.tsx';
import { useStable } from '../../ground/ui/use-stable.ts';
import { RemoveButton, useRemoveSender } from './remove-sender.tsx';
import { SenderState } from './sender-list.tsx';
import { type AccountSender, accountSendersQuery } from './senders-query.ts';

type Ask = ComponentProps<typeof RemoveButton>['onAsk'];

const columnsFor = (onAsk: Ask | undefined): Column<AccountSender>[] => [
  {
    id: 'sender',
    label: () => t('senders.sender'),
    cell: ({ sender }) => <span title={sender}>{sender}</span>,
    width: 8,
    grow: 1,
    line: 1,
  },
  {
    id: 'state',
    label: () => t('phones.state'),
    cell: (sender) => <SenderState sender={sender} />,
    width: 13,
    line: 2,
  },
  {
    id: 'created',
    label: () => t('messages.created'),
    cell: ({ createdAt }) => <time dateTime={createdAt}>{formatDateTime(createdAt)}</time>,
    width: 9,
    line: 2,
  },
  ...(onAsk
    ? [
        {
          id: 'remove',
          label: () => t('senders.remove'),
          kind: 'actions' as const,
          cell: (sender: AccountSender) => <RemoveButton sender={sender} onAsk={onAsk} />,
          width: 3,
          line: 1 as const,
        },
      ]
    : []),
];

const idOf = ({ _id }: AccountSender): string => _id;

/** For admins: whom an account may send as; senders are given to it here, and taken away. Nobody gives them to himself. */
export const AccountSenders = ({ accountId }: { accountId: AccountId }) => {
  const may = useMay();
  const [giving, setGiving] = useState(false);
  const title = useRef<HTMLHeadingElement>(null);
  const found = useInfiniteQuery(accountSendersQuery(accountId));
  const senders = useMemo(() => found.data?.pages.flatMap((page) => page.senders) ?? [], [found.data]);
  const mayRemove = may('DELETE /admin/senders/:senderId');
  const { ask, question } = useRemoveSender({
    remove: async (senderId) => {
      await call('DELETE /admin/senders/:senderId', { params: { senderId } });
      return { message: t('senders.taken') };
    },
    text: (sender) => t('senders.take_text', { sender }),
    titleRef: title,
  });
  const onAsk = useStable(ask);
  const columns = useMemo(() => columnsFor(mayRemove ? onAsk : undefined), [mayRemove, onAsk]);
  return (
    <section aria-label={t('senders.title')}>
      <h3 ref={title} tabIndex={-1}>
        {t('senders.title')}
      </h3>
      <DataList
        name="account-senders"
        label={t('senders.title')}
        columns={columns}
        rows={senders}
        rowId={idOf}
        query={found}
        failed={t('senders.account_failed')}
        empty={t('senders.none')}
        expected={2}
        tools={
          may('POST /admin/senders') &&
          accountId !== storedAccountId() && (
            <Button size="xs" variant="default" onClick={() => setGiving(true)}>
              {t('senders.give')}
            </Button>
          )
        }
      />
      <FieldsDialog
        opened={giving}
        onClose={() => setGiving(false)}
        title={t('senders.give')}
        text={t('senders.give_hint')}
        fields={[
          {
            name: 'channel',
            label: t('messages.channel'),
            initial: 'sms',
            options: CHANNELS.map((value) => ({ value, label: t(`send.channel.${value}`) })),
            fault: anything,
          },
          { name: 'sender', label: t('senders.sender'), fault: needed(t('senders.missing')) },
        ]}
        submit={async ({ channel, sender = '' }) => {
          await call('POST /admin/senders', { body: { accountId, channel: channel as Channel, sender } });
          return { message: t('senders.was_given') };
        }}
      />
      {question}
    </section>
  );
};
