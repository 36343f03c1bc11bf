import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import type { AccountId } from '../../contract/accounts.ts';
import { t } from '../i18n/translate.ts';
import { LoadFailure } from '../ui/load-failure.tsx';
import { Panel } from '../ui/panel.tsx';
import { AddSender } from './add-sender.tsx';
import { SenderList } from './sender-list.tsx';
import classes from './senders.module.css';
import { sendersQuery } from './senders-query.ts';

/** Whom the account may send as, and what it takes to add more. */
export const SendersPanel = ({ accountId }: { accountId: AccountId }) => {
  const senders = useQuery(sendersQuery(accountId));
  const title = useRef<HTMLHeadingElement>(null);
  return (
    <Panel title={t('senders.title')} titleRef={title}>
      <div className={classes.panel}>
        <p className={classes.hint}>{t('senders.hint')}</p>
        {senders.isPending && <Skeleton height={48} radius="md" />}
        {senders.isError && (
          <LoadFailure
            text={t('senders.failed')}
            reason={senders.error.message}
            tryAgain={t('layout.try_again')}
            onRetry={senders.refetch}
          />
        )}
        {senders.data && senders.data.senders.length > 0 && (
          <SenderList accountId={accountId} senders={senders.data.senders} titleRef={title} />
        )}
        <AddSender accountId={accountId} />
      </div>
    </Panel>
  );
};
