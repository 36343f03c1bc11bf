import type { RefObject } from 'react';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import { call } from '../../ground/api/call.ts';
import { t } from '../../ground/i18n/translate.ts';
import { Tag } from '../../ground/ui/tag.tsx';
import { ProveSender } from './prove-sender.tsx';
import { RemoveButton, useRemoveSender } from './remove-sender.tsx';
import classes from './senders.module.css';
import type { Sender } from './senders-query.ts';

interface SenderListProps {
  accountId: AccountId;
  senders: Sender[];
  /** Takes the focus when the button that had it was removed. */
  titleRef: RefObject<HTMLHeadingElement | null>;
}

interface SenderStateProps {
  sender: Pick<Sender, 'channel' | 'kind' | 'verified' | 'given'>;
}

/** What it is for, and whether it may be sent from. */
export const SenderState = ({ sender: { channel, kind, verified, given } }: SenderStateProps) => (
  <>
    <Tag tone="plain">{kind === 'domain' ? t('senders.domain') : t(`send.channel.${channel}`)}</Tag>{' '}
    {given ? (
      <Tag tone="brass">{t('senders.given')}</Tag>
    ) : (
      <Tag tone={verified ? 'good' : 'wait'}>{verified ? t('senders.verified') : t('senders.open')}</Tag>
    )}
  </>
);

const Facts = ({ sender }: { sender: Sender }) => (
  <span className={classes.facts}>
    <span className={classes.name}>{sender.sender}</span>
    <SenderState sender={sender} />
  </span>
);

export const SenderList = ({ accountId, senders, titleRef }: SenderListProps) => {
  const { ask, question } = useRemoveSender({
    remove: (senderId) =>
      call('DELETE /account/:accountId/senders/:senderId', { params: { accountId, senderId } }),
    text: (sender) => t('senders.remove_text', { sender }),
    titleRef,
  });
  return (
    <>
      <ul className={classes.list}>
        {senders.map((sender) => (
          <li key={sender._id}>
            <div className={classes.head}>
              <Facts sender={sender} />
              {!sender.given && <RemoveButton sender={sender} onAsk={ask} />}
            </div>
            {!sender.verified && <ProveSender accountId={accountId} sender={sender} />}
          </li>
        ))}
      </ul>
      {question}
    </>
  );
};
