import { IconTrash } from '@tabler/icons-react';
import { type RefObject, useRef, useState } from 'react';
import type { AccountId } from '../../contract/accounts.ts';
import { call } from '../api/call.ts';
import { t } from '../i18n/translate.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import controls from '../ui/controls.module.css';
import { Tag } from '../ui/tag.tsx';
import { useSave } from '../ui/use-save.ts';
import { ProveSender } from './prove-sender.tsx';
import classes from './senders.module.css';
import type { Sender } from './senders-query.ts';

interface SenderListProps {
  accountId: AccountId;
  senders: Sender[];
  /** Takes the focus when the button that had it was removed. */
  titleRef: RefObject<HTMLHeadingElement | null>;
}

const Facts = ({ sender: { channel, kind, sender, verified, given } }: { sender: Sender }) => (
  <span className={classes.facts}>
    <span className={classes.name}>{sender}</span>
    <Tag tone="plain">{kind === 'domain' ? t('senders.domain') : t(`send.channel.${channel}`)}</Tag>
    {given && <Tag tone="brass">{t('senders.given')}</Tag>}
    {!given && (
      <Tag tone={verified ? 'good' : 'wait'}>{verified ? t('senders.verified') : t('senders.open')}</Tag>
    )}
  </span>
);

export const SenderList = ({ accountId, senders, titleRef }: SenderListProps) => {
  const [removing, setRemoving] = useState<Sender>();
  const [asking, setAsking] = useState(false);
  const asker = useRef<HTMLButtonElement>(null);
  const remove = useSave((senderId: Sender['_id']) =>
    call('DELETE /account/:accountId/senders/:senderId', { params: { accountId, senderId } }),
  );
  return (
    <>
      <ul className={classes.list}>
        {senders.map((sender) => {
          const label = t('senders.remove_named', { sender: sender.sender });
          return (
            <li key={sender._id}>
              <div className={classes.head}>
                <Facts sender={sender} />
                {!sender.given && (
                  <button
                    type="button"
                    className={controls.icon}
                    aria-label={label}
                    title={label}
                    onClick={({ currentTarget }) => {
                      asker.current = currentTarget;
                      setRemoving(sender);
                      setAsking(true);
                    }}
                  >
                    <IconTrash size={19} aria-hidden="true" />
                  </button>
                )}
              </div>
              {!sender.verified && <ProveSender accountId={accountId} sender={sender} />}
            </li>
          );
        })}
      </ul>
      <ConfirmDialog
        opened={asking}
        onClose={() => setAsking(false)}
        onClosed={() => (asker.current?.isConnected ? asker : titleRef).current?.focus()}
        onConfirm={async () => {
          if (removing) await remove.mutateAsync(removing._id).catch(() => undefined);
          setAsking(false);
        }}
        title={t('senders.remove_title')}
        cancel={t('layout.cancel')}
        destructive
        confirm={t('senders.remove')}
        close={t('layout.close')}
      >
        {t('senders.remove_text', { sender: removing?.sender ?? '' })}
      </ConfirmDialog>
    </>
  );
};
