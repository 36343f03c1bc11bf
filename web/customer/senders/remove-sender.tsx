import { IconTrash } from '@tabler/icons-react';
import { type RefObject, useState } from 'react';
import { t } from '../../ground/i18n/translate.ts';
import controls from '../../ground/ui/controls.module.css';
import { ConfirmDialog } from '../../ground/ui/forms/confirm-dialog.tsx';
import { useFocusBack } from '../../ground/ui/forms/use-focus-back.ts';
import { useSave } from '../../ground/ui/forms/use-save.ts';
import type { Sender } from './senders-query.ts';

type Named = Pick<Sender, '_id' | 'sender'>;
type Ask = (sender: Named, button: HTMLElement) => void;

export const RemoveButton = ({ sender, onAsk }: { sender: Named; onAsk: Ask }) => {
  const label = t('senders.remove_named', { sender: sender.sender });
  return (
    <button
      type="button"
      className={controls.icon}
      aria-label={label}
      title={label}
      onClick={({ currentTarget }) => onAsk(sender, currentTarget)}
    >
      <IconTrash size={19} aria-hidden="true" />
    </button>
  );
};

interface RemoveSenderOptions {
  remove: (senderId: Sender['_id']) => Promise<{ message: string }>;
  /** What it means that this one is removed. */
  text: (sender: string) => string;
  /** Takes the focus when the button that had it was removed. */
  titleRef: RefObject<HTMLHeadingElement | null>;
}

/** The question before a sender is removed, and how to ask it. */
export const useRemoveSender = ({ remove, text, titleRef }: RemoveSenderOptions) => {
  const [removing, setRemoving] = useState<Named>();
  const [asking, setAsking] = useState(false);
  const focus = useFocusBack(titleRef);
  const save = useSave(remove);
  const ask: Ask = (sender, button) => {
    focus.remember(button);
    setRemoving(sender);
    setAsking(true);
  };
  const question = (
    <ConfirmDialog
      opened={asking}
      onClose={() => setAsking(false)}
      onClosed={focus.giveBack}
      onConfirm={async () => {
        if (removing) await save.mutateAsync(removing._id).catch(() => undefined);
        setAsking(false);
      }}
      title={t('senders.remove_title')}
      cancel={t('layout.cancel')}
      destructive
      confirm={t('senders.remove')}
      close={t('layout.close')}
    >
      {text(removing?.sender ?? '')}
    </ConfirmDialog>
  );
  return { ask, question };
};
