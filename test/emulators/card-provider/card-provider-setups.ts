import { DECLINES, TEST_CARDS } from './card-provider-bank.ts';
import {
  AUTHENTICATION,
  type Books,
  type Customer,
  newId,
  nowSeconds,
  type PaymentMethod,
  type ProviderObject,
  type SetupIntent,
} from './card-provider-objects.ts';
import { missing, ProviderError, type Reader } from './card-provider-request.ts';

export type Emit = (type: string, object: ProviderObject) => void;

export interface TypedCard {
  number: string;
  expMonth: number;
  expYear: number;
  cvc: string;
}

export const customerOf = (books: Books, id: string): Customer => {
  const customer = books.customers.get(id);
  if (!customer || customer.deleted) throw missing('customer', id, 'customer', false);
  return customer;
};

const cardError = (code: string, message: string, param: string): ProviderError =>
  new ProviderError(402, { type: 'card_error', code, message, param });

const checkCard = ({ number, expMonth, expYear, cvc }: TypedCard): void => {
  if (!TEST_CARDS[number]) throw cardError('incorrect_number', 'Your card number is incorrect.', 'number');
  const today = new Date();
  if (expYear < today.getFullYear() || (expYear === today.getFullYear() && expMonth <= today.getMonth()))
    throw cardError('invalid_expiry_year', "Your card's expiration year is invalid.", 'exp_year');
  if (!/^\d{3,4}$/.test(cvc)) throw cardError('invalid_cvc', "Your card's security code is invalid.", 'cvc');
};

const attach = (books: Books, setup: SetupIntent, card: TypedCard): PaymentMethod => {
  const known = TEST_CARDS[card.number];
  const method: PaymentMethod = {
    id: newId('pm'),
    object: 'payment_method',
    card: {
      brand: known?.brand ?? 'unknown',
      country: 'US',
      exp_month: card.expMonth,
      exp_year: card.expYear,
      funding: 'credit',
      last4: card.number.slice(-4),
    },
    created: nowSeconds(),
    customer: null,
    livemode: true,
    metadata: {},
    type: 'card',
  };
  books.methods.set(method.id, method);
  books.verdicts.set(method.id, known?.charge ?? 'approve');
  setup.payment_method = method.id;
  return method;
};

/** Adding cards: customers, what the form in the page does, and payment methods. */
export const setupBook = (books: Books, emit: Emit) => {
  const finish = (setup: SetupIntent): SetupIntent => {
    const method = books.methods.get(setup.payment_method ?? '');
    if (method) method.customer = setup.customer;
    Object.assign(setup, { status: 'succeeded', next_action: null, last_setup_error: null });
    emit('setup_intent.succeeded', setup);
    return setup;
  };

  const refuse = (setup: SetupIntent, error: ProviderError): ProviderError => {
    Object.assign(setup, {
      status: 'requires_payment_method',
      next_action: null,
      payment_method: null,
      last_setup_error: { ...error.error },
    });
    emit('setup_intent.setup_failed', setup);
    Object.assign(error.error, { setup_intent: structuredClone(setup) });
    return error;
  };

  const requireOpen = (setup: SetupIntent, status: SetupIntent['status']): void => {
    if (setup.status !== status)
      throw new ProviderError(400, {
        code: 'setup_intent_unexpected_state',
        message: `You cannot confirm this SetupIntent because it has a status of ${setup.status}.`,
        setup_intent: structuredClone(setup),
      });
  };

  return {
    createCustomer: (read: Reader): Customer => {
      const customer: Customer = {
        id: newId('cus', 14),
        object: 'customer',
        created: nowSeconds(),
        description: read.text('description') ?? null,
        email: read.text('email') ?? null,
        livemode: true,
        metadata: read.metadata('metadata'),
      };
      books.customers.set(customer.id, customer);
      emit('customer.created', customer);
      return customer;
    },

    /** Its cards can't be charged any more. */
    deleteCustomer: (customer: Customer): { id: string; object: 'customer'; deleted: true } => {
      customer.deleted = true;
      for (const method of books.methods.values())
        if (method.customer === customer.id) method.customer = null;
      return { id: customer.id, object: 'customer', deleted: true };
    },

    createSetup: (read: Reader): SetupIntent => {
      const customer = read.text('customer');
      if (customer !== undefined) customerOf(books, customer);
      const usage = read.text('usage') ?? 'off_session';
      if (!['off_session', 'on_session'].includes(usage))
        throw new ProviderError(400, {
          message: `Invalid usage: must be one of off_session or on_session`,
          param: 'usage',
        });
      const id = newId('seti');
      const allowed = read.list('allowed_payment_method_types');
      const setup: SetupIntent = {
        id,
        object: 'setup_intent',
        allowed_payment_method_types: allowed.length > 0 ? allowed : null,
        cancellation_reason: null,
        client_secret: `${id}_${newId('secret')}`,
        created: nowSeconds(),
        customer: customer ?? null,
        last_setup_error: null,
        livemode: true,
        metadata: read.metadata('metadata'),
        next_action: null,
        payment_method: null,
        payment_method_types: ['card'],
        status: 'requires_payment_method',
        usage,
      };
      books.setups.set(id, setup);
      emit('setup_intent.created', setup);
      return setup;
    },

    confirmSetup: (setup: SetupIntent, card: TypedCard): SetupIntent => {
      requireOpen(setup, 'requires_payment_method');
      checkCard(card);
      const verdict = TEST_CARDS[card.number]?.setup ?? 'approve';
      if (verdict in DECLINES)
        throw refuse(
          setup,
          new ProviderError(402, { type: 'card_error', ...DECLINES[verdict as keyof typeof DECLINES] }),
        );
      attach(books, setup, card);
      if (verdict !== 'authenticate') return finish(setup);
      Object.assign(setup, { status: 'requires_action', next_action: AUTHENTICATION });
      emit('setup_intent.requires_action', setup);
      return setup;
    },

    authenticateSetup: (setup: SetupIntent, approve: boolean): SetupIntent => {
      requireOpen(setup, 'requires_action');
      if (approve) return finish(setup);
      refuse(
        setup,
        new ProviderError(402, {
          code: 'setup_intent_authentication_failure',
          message: 'We are unable to authenticate your payment method.',
        }),
      );
      return setup;
    },

    detach: (method: PaymentMethod): PaymentMethod => {
      if (method.customer === null)
        throw new ProviderError(400, {
          message:
            'The payment method you provided is not attached to a customer so detachment is impossible.',
        });
      method.customer = null;
      emit('payment_method.detached', method);
      return method;
    },
  };
};
