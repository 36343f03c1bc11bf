import { IconCreditCard, IconTrash } from '@tabler/icons-react';
import { t } from '../../../ground/i18n/translate.ts';
import controls from '../../../ground/ui/controls.module.css';
import { Tag } from '../../../ground/ui/tag.tsx';
import type { Card } from '../wallet-queries.ts';
import { type CardFace, cardName, faceOf } from './card-face.ts';
import classes from './card-tiles.module.css';

interface CardTilesProps {
  cards: Card[];
  onChoose: (card: Card) => void;
  onRemove: (card: Card) => void;
}

const ExpiryHint = ({ state }: { state: CardFace['state'] }) => {
  if (state === 'good') return null;
  return state === 'expired' ? (
    <Tag tone="bad">{t('cards.expired')}</Tag>
  ) : (
    <Tag tone="wait">{t('cards.expires_soon')}</Tag>
  );
};

const CardTile = ({ card, onChoose, onRemove }: { card: Card } & Omit<CardTilesProps, 'cards'>) => {
  const { brand, last4, expiry, state } = faceOf(card);
  return (
    <li className={classes.tile}>
      <button
        type="button"
        className={classes.card}
        aria-pressed={card.default}
        title={card.default ? t('cards.is_default') : t('cards.make_default')}
        onClick={() => {
          if (!card.default) onChoose(card);
        }}
      >
        <span className={classes.head}>
          <span>{brand}</span>
          {card.default && <Tag tone="brass">{t('cards.default')}</Tag>}
        </span>
        <span className={classes.number}>•••• {last4}</span>
        <span className={classes.foot}>
          <span>{t('cards.expires', { expiry })}</span>
          <ExpiryHint state={state} />
        </span>
      </button>
      <button
        type="button"
        className={`${controls.icon} ${classes.remove}`}
        aria-label={t('cards.remove', { card: cardName(card) })}
        title={t('cards.remove', { card: cardName(card) })}
        onClick={() => onRemove(card)}
      >
        <IconTrash size={19} aria-hidden="true" />
      </button>
    </li>
  );
};

/** The cards; the pressed one is the default, and pressing another asks to make it so. */
export const CardTiles = ({ cards, ...actions }: CardTilesProps) =>
  cards.length === 0 ? (
    <p className={classes.empty}>
      <IconCreditCard size={36} stroke={1.4} aria-hidden="true" />
      {t('cards.none')}
    </p>
  ) : (
    <ul className={classes.tiles}>
      {cards.map((card) => (
        <CardTile key={card._id} card={card} {...actions} />
      ))}
    </ul>
  );
