import { useEffect, useRef, useState } from 'react';
import type { CardId, PaymentId } from '../../../contract/customer/wallet.ts';
import { ApiError } from '../../ground/api/api-error.ts';
import { type Answer, call } from '../../ground/api/call.ts';
import { idempotencyKey } from '../../ground/api/idempotency-key.ts';
import { queryClient } from '../../ground/api/query-client.ts';
import { t } from '../../ground/i18n/translate.ts';
import { toastFailure, toastSuccess } from '../../ground/ui/feedback/toast.ts';
import { confirmAtProvider } from './cards/confirm-at-provider.ts';
import { type Cards, cardsQuery, type Payment } from './wallet-queries.ts';

/** The state of a payment, as its dialog shows it. */
export type PaymentStage =
  | { name: 'form'; failure?: string }
  | { name: 'sending' }
  /** The sandbox asks the card holder in our own dialog. */
  | { name: 'authenticate'; payment: Payment; message: string }
  /** `asking` while the page still polls the payment; after that the history shows its state. */
  | { name: 'pending'; message: string; asking: boolean }
  | { name: 'paid'; message: string };

type ChargeAnswer = Answer<'POST /cards/:cardId/charge'>;
type CardForm = Pick<Cards, 'provider' | 'publishableKey'>;

interface Attempt {
  key: string;
  cardId: CardId;
  amount: number;
}

const POLL_MS = 2_000;
/** The sandbox's slow settlement takes 20 seconds; after this time the history shows the outcome. */
const POLLS = 20;

const refresh = (paymentId: PaymentId) =>
  call('POST /payments/:paymentId/refresh', { params: { paymentId } });
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
/** Whether the payment was made is not known, so a repeat must keep its key. */
const isUnknown = (error: ApiError) => error.status === 0 || error.status >= 500;

export interface PaymentFlow {
  opened: boolean;
  stage: PaymentStage;
  open: () => void;
  close: () => void;
  pay: (charge: { cardId: CardId; amount: number }) => void;
  /** Goes on with a payment that waits for its card holder, or for its settlement. */
  resume: (payment: Payment) => void;
  /** The card holder's answer in the sandbox. */
  answer: (approve: boolean) => void;
}

/** The answer once the payment is settled or waits for its card holder; undefined if neither came in time. */
const poll = async (paymentId: PaymentId, isWanted: () => boolean): Promise<ChargeAnswer | undefined> => {
  for (let asked = 0; asked < POLLS; asked += 1) {
    await wait(POLL_MS);
    if (!isWanted()) return undefined;
    // A reply that is lost here is requested again in the next round.
    const answer = await refresh(paymentId).catch((error: unknown) => {
      if (error instanceof ApiError && isUnknown(error)) return undefined;
      throw error;
    });
    if (answer && (answer.payment.status !== 'PENDING' || answer.payment.clientSecret)) return answer;
  }
  return undefined;
};

/** Charges a card. Asked again after an unknown outcome, it asks with the same key, so that nothing is paid twice. */
const useCharge = () => {
  const attempt = useRef<Attempt>(undefined);
  return async ({ cardId, amount }: Omit<Attempt, 'key'>): Promise<ChargeAnswer> => {
    const repeated = attempt.current?.cardId === cardId && attempt.current.amount === amount;
    const current = repeated && attempt.current ? attempt.current : { key: idempotencyKey(), cardId, amount };
    attempt.current = current;
    try {
      const answer = await call('POST /cards/:cardId/charge', {
        params: { cardId },
        body: { amount },
        headers: { 'idempotency-key': current.key },
      });
      attempt.current = undefined;
      await queryClient.invalidateQueries({ queryKey: ['payments'] });
      return answer;
    } catch (error) {
      if (!(error instanceof ApiError && isUnknown(error))) attempt.current = undefined;
      throw error;
    }
  };
};

/** One payment at a time, from the form to its end. Closing the dialog does not stop it: a toast then shows the end. */
export const usePaymentFlow = (cardForm: CardForm | undefined): PaymentFlow => {
  const [opened, setOpened] = useState(false);
  const [stage, setStage] = useState<PaymentStage>({ name: 'form' });
  const shown = useRef(false);
  const underWay = useRef(false);
  const alive = useRef(true);
  const charge = useCharge();

  useEffect(() => {
    alive.current = true;
    return () => {
      alive.current = false;
    };
  }, []);

  const show = (open: boolean) => {
    shown.current = open;
    setOpened(open);
  };

  const follow = async ({ payment, message }: ChargeAnswer): Promise<void> => {
    if (payment.status === 'SUCCESS') {
      setStage({ name: 'paid', message });
      if (!shown.current) toastSuccess(message);
      return;
    }
    if (payment.clientSecret === undefined) return watch(payment._id, message);
    // A payment of the history may be gone on with before the cards have said who asks their holder.
    const form = cardForm ?? (await queryClient.ensureQueryData(cardsQuery));
    if (form.provider === 'sandbox') return setStage({ name: 'authenticate', payment, message });
    setStage({ name: 'pending', message, asking: true });
    const fault = await confirmAtProvider(form.publishableKey, payment.clientSecret);
    const answer = await refresh(payment._id);
    // Still waiting for the card holder: asking again immediately would loop.
    if (answer.payment.clientSecret !== undefined) throw new Error(fault ?? answer.message);
    return follow(answer);
  };

  const watch = async (paymentId: PaymentId, message: string): Promise<void> => {
    setStage({ name: 'pending', message, asking: true });
    const answer = await poll(paymentId, () => alive.current);
    if (answer) return follow(answer);
    if (alive.current) setStage({ name: 'pending', message, asking: false });
  };

  /** Runs one part of the payment; whether it succeeds or fails, the balance and the lists are reloaded. */
  const run = async (part: () => Promise<void>) => {
    if (underWay.current) return;
    underWay.current = true;
    try {
      await part();
    } catch (error) {
      const message = t('top_up.error', { message: error instanceof Error ? error.message : String(error) });
      setStage({ name: 'form', failure: message });
      if (!shown.current && alive.current) toastFailure(message);
    } finally {
      underWay.current = false;
      await queryClient.invalidateQueries();
    }
  };

  const decide = async (payment: Payment, approve: boolean) => {
    setStage({ name: 'sending' });
    const body = { client_secret: payment.clientSecret ?? '', approve };
    await call('POST /sandbox/payments/authenticate', { body });
    await follow(await refresh(payment._id));
  };

  return {
    opened,
    stage,
    open: () => {
      if (!underWay.current) setStage({ name: 'form' });
      show(true);
    },
    close: () => show(false),
    pay: (wanted) =>
      void run(async () => {
        setStage({ name: 'sending' });
        await follow(await charge(wanted));
      }),
    resume: (payment) => {
      show(true);
      void run(async () => {
        setStage({ name: 'sending' });
        await follow(await refresh(payment._id));
      });
    },
    answer: (approve) => {
      if (stage.name === 'authenticate') void run(() => decide(stage.payment, approve));
    },
  };
};
