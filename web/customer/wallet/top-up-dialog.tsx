import { Button, Group, Loader } from '@mantine/core';
import { useEffect, useEffectEvent, useRef } from 'react';
import type { Currency } from '../../../contract/ground/constants.ts';
import { formatAmount } from '../../ground/i18n/format.ts';
import { t } from '../../ground/i18n/translate.ts';
import { Notice } from '../../ground/ui/feedback/notice.tsx';
import { Outcome } from '../../ground/ui/feedback/outcome.tsx';
import { Dialog } from '../../ground/ui/forms/dialog.tsx';
import type { PaymentFlow, PaymentStage } from './payment-flow.ts';
import classes from './top-up-dialog.module.css';
import { TopUpForm } from './top-up-form.tsx';
import type { Cards } from './wallet-queries.ts';

const CLOSES_AFTER_MS = 5_000;

/** The form that had the focus is hidden; this button keeps the focus inside the dialog. */
const CloseButton = ({ onClose }: { onClose: () => void }) => {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => button.current?.focus(), []);
  return (
    <Button ref={button} variant="default" onClick={onClose}>
      {t('layout.close')}
    </Button>
  );
};

const Paid = ({ message, onClose }: { message: string; onClose: () => void }) => {
  const close = useEffectEvent(onClose);
  useEffect(() => {
    const timer = setTimeout(() => close(), CLOSES_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <Outcome text={message} focused={false}>
      <p className={classes.hint}>{t('top_up.closes')}</p>
      <CloseButton onClose={onClose} />
    </Outcome>
  );
};

const Pending = ({
  stage,
  onClose,
}: {
  stage: Extract<PaymentStage, { name: 'pending' }>;
  onClose: () => void;
}) => (
  <div className={classes.pending}>
    {stage.asking && <Loader size="md" aria-hidden="true" />}
    <p role="status">{stage.message}</p>
    <CloseButton onClose={onClose} />
  </div>
);

/** The question that a bank would ask on its own page. The sandbox asks it here, and says that it is a sandbox. */
const SandboxAuthentication = ({
  stage,
  onAnswer,
}: {
  stage: Extract<PaymentStage, { name: 'authenticate' }>;
  onAnswer: (approve: boolean) => void;
}) => {
  const approve = useRef<HTMLButtonElement>(null);
  useEffect(() => approve.current?.focus(), []);
  const { payment, message } = stage;
  return (
    <div className={classes.authentication}>
      <Notice icon="sandbox" title={t('sandbox.bank')} text={t('sandbox.bank_text')} />
      <p>{message}</p>
      <p className={classes.amount}>
        {payment.currency} {formatAmount(payment.amount)}
      </p>
      <Group justify="flex-end">
        <Button variant="default" onClick={() => onAnswer(false)}>
          {t('sandbox.refuse')}
        </Button>
        <Button ref={approve} onClick={() => onAnswer(true)}>
          {t('sandbox.approve')}
        </Button>
      </Group>
    </div>
  );
};

interface TopUpDialogProps {
  flow: PaymentFlow;
  cards: Cards | undefined;
  /** The currency in which the card is charged. */
  currency: Currency | undefined;
  /** Asked for where there is no card yet. */
  onAddCard: () => void;
}

const Stage = ({ flow }: Pick<TopUpDialogProps, 'flow'>) => {
  const { stage, close } = flow;
  switch (stage.name) {
    case 'paid':
      return <Paid message={stage.message} onClose={close} />;
    case 'pending':
      return <Pending stage={stage} onClose={close} />;
    case 'authenticate':
      return <SandboxAuthentication stage={stage} onAnswer={flow.answer} />;
    default:
      return null;
  }
};

/** The form stays mounted but hidden during the payment, so that a refusal leads back to what was typed. */
export const TopUpDialog = ({ flow, cards, currency, onAddCard }: TopUpDialogProps) => {
  const inForm = flow.stage.name === 'form' || flow.stage.name === 'sending';
  return (
    <Dialog
      opened={flow.opened}
      onClose={flow.close}
      title={flow.stage.name === 'authenticate' ? t('sandbox.bank_title') : t('top_up.title')}
      close={t('layout.close')}
    >
      <div hidden={!inForm}>
        <TopUpForm
          cards={cards}
          currency={currency}
          sending={flow.stage.name === 'sending'}
          failure={flow.stage.name === 'form' ? flow.stage.failure : undefined}
          onCancel={flow.close}
          onAddCard={onAddCard}
          onPay={flow.pay}
        />
      </div>
      <Stage flow={flow} />
    </Dialog>
  );
};
