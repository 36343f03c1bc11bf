import { brandName } from '../../../../contract/customer/card-brands.ts';
import { t } from '../../../ground/i18n/translate.ts';
import type { Card } from '../wallet-queries.ts';

/** The warning comes early enough for a new card to arrive by post. */
const SOON_DAYS = 45;
const DAY_MS = 24 * 3600 * 1000;

export interface CardFace {
  brand: string;
  last4: string;
  /** As printed on the card: `08/2027`. */
  expiry: string;
  state: 'good' | 'soon' | 'expired';
}

const stateOf = (month: number, year: number, now: Date): CardFace['state'] => {
  // A card is valid until the end of its month.
  const endsAt = Date.UTC(year, month, 1);
  if (endsAt <= now.getTime()) return 'expired';
  return endsAt - now.getTime() < SOON_DAYS * DAY_MS ? 'soon' : 'good';
};

/** What may be shown of a card. */
export const faceOf = ({ customer }: Card, now = new Date()): CardFace => {
  const [source] = customer.sources.data;
  if (!source) return { brand: '', last4: '', expiry: '', state: 'good' };
  const { brand, last4, exp_month: month, exp_year: year } = source;
  return {
    brand: brandName(brand),
    last4,
    expiry: `${String(month).padStart(2, '0')}/${year}`,
    state: stateOf(month, year, now),
  };
};

export const cardName = (card: Card): string => {
  const { brand, last4 } = faceOf(card);
  return `${brand} •••• ${last4}`;
};

/** The cards as options of a select. */
export const cardOptions = (cards: Card[]) => [
  { value: '', label: t('cards.select') },
  ...cards.map((card) => ({
    value: card._id as string,
    label: card.default ? t('cards.option_default', { card: cardName(card) }) : cardName(card),
  })),
];
