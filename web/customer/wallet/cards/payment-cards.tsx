import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { call } from '../../../ground/api/call.ts';
import { t } from '../../../ground/i18n/translate.ts';
import { LoadFailure } from '../../../ground/ui/feedback/load-failure.tsx';
import { Notice } from '../../../ground/ui/feedback/notice.tsx';
import { ConfirmDialog } from '../../../ground/ui/forms/confirm-dialog.tsx';
import { useFocusBack } from '../../../ground/ui/forms/use-focus-back.ts';
import { useSave } from '../../../ground/ui/forms/use-save.ts';
import { Panel } from '../../../ground/ui/layout/panel.tsx';
import { type Card, cardsQuery } from '../wallet-queries.ts';
import { cardName } from './card-face.ts';
import { CardTiles } from './card-tiles.tsx';

interface Change {
  card: Card;
  kind: 'default' | 'remove';
}

const carryOut = ({ card, kind }: Change) => {
  const params = { cardId: card._id };
  return kind === 'remove'
    ? call('DELETE /cards/:cardId', { params })
    : call('PUT /cards/:cardId', { params, body: { default: true } });
};

/** `autoChargeCardId` is the card that automatic top-up uses, while it is on. */
export const PaymentCards = ({ autoChargeCardId }: { autoChargeCardId?: string }) => {
  const cards = useQuery(cardsQuery);
  const [change, setChange] = useState<Change>();
  const [asking, setAsking] = useState(false);
  const save = useSave(carryOut);
  const title = useRef<HTMLHeadingElement>(null);
  const focus = useFocusBack(title);
  const ask = (next: Change) => {
    if (document.activeElement instanceof HTMLElement) focus.remember(document.activeElement);
    setChange(next);
    setAsking(true);
  };
  const confirm = async () => {
    try {
      if (change) await save.mutateAsync(change);
    } catch {
      // A toast has shown the failure.
    } finally {
      setAsking(false);
    }
  };
  const removing = change?.kind === 'remove';
  return (
    <Panel title={t('cards.title')} titleRef={title}>
      {cards.isPending && <Skeleton height={152} radius="md" />}
      {cards.isError && (
        <LoadFailure
          text={t('cards.failed')}
          reason={cards.error.message}
          tryAgain={t('layout.try_again')}
          onRetry={cards.refetch}
        />
      )}
      {cards.data && (
        <CardTiles
          cards={cards.data.cards}
          onChoose={(card) => ask({ card, kind: 'default' })}
          onRemove={(card) => ask({ card, kind: 'remove' })}
        />
      )}
      <ConfirmDialog
        opened={asking}
        onClose={() => setAsking(false)}
        onClosed={focus.giveBack}
        onConfirm={confirm}
        title={removing ? t('cards.remove_title') : t('cards.default_title')}
        cancel={t('layout.cancel')}
        destructive={removing}
        confirm={removing ? t('cards.remove_button') : t('cards.confirm')}
        close={t('layout.close')}
      >
        <p>{removing ? t('cards.confirm_remove') : t('cards.confirm_default')}</p>
        {change && (
          <p>
            <strong>{cardName(change.card)}</strong>
          </p>
        )}
        {removing && change.card._id === autoChargeCardId && <Notice title={t('cards.stops_auto_charge')} />}
      </ConfirmDialog>
    </Panel>
  );
};
