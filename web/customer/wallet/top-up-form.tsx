import { Button, Group, NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { Currency } from '../../../contract/ground/constants.ts';
import { formatAmount } from '../../ground/i18n/format.ts';
import { t } from '../../ground/i18n/translate.ts';
import { FailureAlert } from '../../ground/ui/feedback/failure-alert.tsx';
import { LoadFailure } from '../../ground/ui/feedback/load-failure.tsx';
import { Notice } from '../../ground/ui/feedback/notice.tsx';
import classes from '../../ground/ui/forms/form-fields.module.css';
import { ANNOUNCED, TextField } from '../../ground/ui/forms/form-fields.tsx';
import { chargedHkd, readTypedAmount } from './amount-text.ts';
import { cardOptions } from './cards/card-face.ts';
import type { PaymentFlow } from './payment-flow.ts';
import { SandboxNotice } from './sandbox-notice.tsx';
import { type Cards, cardsQuery } from './wallet-queries.ts';

interface TopUpFormProps {
  cards: Cards | undefined;
  currency: Currency | undefined;
  sending: boolean;
  failure: string | undefined;
  onCancel: () => void;
  onAddCard: () => void;
  onPay: PaymentFlow['pay'];
}

/** Shows in advance what the card will be charged, where that is another currency. */
const amountHint = (typed: string, currency: Currency | undefined, topUp: Cards['topUp'] | undefined) => {
  if (!topUp) return undefined;
  const { minimum, maximum, hkdPerUsd } = topUp;
  const least = t('top_up.minimum', { minimum: formatAmount(minimum) });
  const read = readTypedAmount(typed, { minimum, maximum });
  const charged = 'micros' in read && currency === 'HKD' && chargedHkd(read.micros, hkdPerUsd);
  return charged ? t('top_up.charged', { amount: formatAmount(charged), rate: hkdPerUsd }) : least;
};

/** Why there is no card to choose: they could not be loaded, or there are none. */
const CardsNotice = ({ cards, onAddCard }: Pick<TopUpFormProps, 'cards' | 'onAddCard'>) => {
  const loading = useQuery(cardsQuery);
  if (!cards && loading.isError)
    return (
      <LoadFailure
        text={t('cards.failed')}
        reason={loading.error.message}
        tryAgain={t('layout.try_again')}
        retrying={loading.isFetching}
        onRetry={loading.refetch}
      />
    );
  return (
    cards?.cards.length === 0 && (
      <Notice title={t('top_up.no_cards')}>
        <Button size="compact-md" onClick={onAddCard} data-autofocus>
          {t('cards.add')}
        </Button>
      </Notice>
    )
  );
};

export const TopUpForm = ({
  cards,
  currency,
  sending,
  failure,
  onCancel,
  onAddCard,
  onPay,
}: TopUpFormProps) => {
  const [picked, setPicked] = useState<string>();
  const [amount, setAmount] = useState('');
  const [faults, setFaults] = useState<{ card?: string; amount?: string }>({});
  const cardField = useRef<HTMLSelectElement>(null);
  const amountField = useRef<HTMLInputElement>(null);
  const alertRef = useRef<HTMLDivElement>(null);
  const list = cards?.cards ?? [];
  const cardId = picked ?? list.find((card) => card.default)?._id ?? '';

  useEffect(() => {
    if (failure !== undefined) alertRef.current?.focus();
  }, [failure]);

  const pay = () => {
    const card = list.find((one) => one._id === cardId);
    const read = readTypedAmount(amount, cards?.topUp);
    setFaults({
      ...(!card && { card: t('top_up.card_missing') }),
      ...('fault' in read && { amount: read.fault }),
    });
    if (!card) cardField.current?.focus();
    else if ('fault' in read) amountField.current?.focus();
    else onPay({ cardId: card._id, amount: read.amount });
  };

  return (
    <form
      noValidate
      className={classes.form}
      aria-label={t('top_up.title')}
      onSubmit={(event) => {
        event.preventDefault();
        pay();
      }}
    >
      <SandboxNotice />
      {failure && <FailureAlert ref={alertRef} text={failure} />}
      <CardsNotice cards={cards} onAddCard={onAddCard} />
      <NativeSelect
        ref={cardField}
        size="md"
        label={t('top_up.card')}
        data={cardOptions(list)}
        value={cardId}
        error={faults.card}
        errorProps={ANNOUNCED}
        onChange={({ currentTarget }) => {
          setPicked(currentTarget.value);
          setFaults(({ amount: other }) => ({ amount: other }));
        }}
      />
      <TextField
        ref={amountField}
        label={t('top_up.amount')}
        description={amountHint(amount, currency, cards?.topUp)}
        inputMode="decimal"
        autoComplete="off"
        data-autofocus
        value={amount}
        error={faults.amount}
        onChange={({ currentTarget }) => {
          setAmount(currentTarget.value);
          setFaults(({ card: other }) => ({ card: other }));
        }}
      />
      <Group justify="flex-end">
        <Button variant="default" onClick={onCancel}>
          {t('layout.cancel')}
        </Button>
        <Button type="submit" loading={sending} disabled={!cards}>
          {t('top_up.button')}
        </Button>
      </Group>
    </form>
  );
};
