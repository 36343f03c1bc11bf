import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import { t } from '../../ground/i18n/translate.ts';
import { LoadFailure } from '../../ground/ui/feedback/load-failure.tsx';
import { Panel } from '../../ground/ui/layout/panel.tsx';
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
