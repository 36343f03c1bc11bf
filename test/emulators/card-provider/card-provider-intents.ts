import { DECLINES, type Decline, type Verdict } from './card-provider-bank.ts';
import {
  AUTHENTICATION,
  type Books,
  type Charge,
  newCharge,
  newId,
  nowSeconds,
  type PaymentIntent,
  type PaymentMethod,
} from './card-provider-objects.ts';
import { missing, ProviderError, type Reader } from './card-provider-request.ts';
import { customerOf, type Emit } from './card-provider-setups.ts';

/** In cents: https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts. */
const MINIMUM: Record<string, { amount: number; shown: string }> = {
  usd: { amount: 50, shown: '$0.50 usd' },
  hkd: { amount: 400, shown: '$4.00 hkd' },
};
const MAXIMUM = 99_999_999;
const EXCLUSIVE = [
  'allowed_payment_method_types',
  'excluded_payment_method_types',
  'automatic_payment_methods',
  'payment_method_configuration',
];
const CANCELLABLE = ['requires_payment_method', 'requires_confirmation', 'requires_action', 'processing'];
/** Payment methods that never send the card holder to another site. */
const WITHOUT_REDIRECT = ['card', 'us_bank_account', 'sepa_debit'];

const checkAmount = (amount: number, currency: string): void => {
  const minimum = MINIMUM[currency];
  if (!minimum)
    throw new ProviderError(400, { message: `Invalid currency: ${currency}.`, param: 'currency' });
  if (amount < 1)
    throw new ProviderError(400, {
      code: 'parameter_invalid_integer',
      message: 'This value must be greater than or equal to 1.',
      param: 'amount',
    });
  if (amount < minimum.amount)
    throw new ProviderError(400, {
      code: 'amount_too_small',
      message: `Amount must be at least ${minimum.shown}`,
      param: 'amount',
    });
  if (amount > MAXIMUM)
    throw new ProviderError(400, {
      code: 'amount_too_large',
      message: `Amount must be no more than ${MAXIMUM}`,
      param: 'amount',
    });
};

const chargeableMethod = (books: Books, id: string, customer: string | null): PaymentMethod => {
  const method = books.methods.get(id);
  if (!method) throw missing('PaymentMethod', id, 'payment_method', false);
  if (method.customer === null)
    throw new ProviderError(400, {
      message:
        'The provided PaymentMethod was previously used with a PaymentIntent without Customer attachment, or was detached from a Customer. It may not be used again.',
    });
  if (method.customer !== customer)
    throw new ProviderError(400, {
      message: `The customer does not have a payment method with the ID ${id}. The payment method must be attached to the customer.`,
    });
  return method;
};

const checkRedirects = (read: Reader): void => {
  const allowed = read.list('allowed_payment_method_types');
  const quiet =
    (allowed.length > 0 && allowed.every((type) => WITHOUT_REDIRECT.includes(type))) ||
    read.hash('automatic_payment_methods').allow_redirects === 'never';
  if (!quiet && read.text('return_url') === undefined)
    throw new ProviderError(400, {
      message:
        'This PaymentIntent is configured to accept payment methods enabled in your Dashboard. Because some of these payment methods might redirect your customer off of your page, you must provide a `return_url`.',
    });
};

/** Taking money: intents and their charges. */
export const intentBook = (books: Books, emit: Emit) => {
  const record = (intent: PaymentIntent, decline?: Decline): Charge => {
    const charge = newCharge(intent, decline);
    books.charges.set(charge.id, charge);
    intent.latest_charge = charge.id;
    emit(decline ? 'charge.failed' : 'charge.succeeded', charge);
    return charge;
  };

  const succeed = (intent: PaymentIntent): PaymentIntent => {
    Object.assign(intent, {
      status: 'succeeded',
      amount_received: intent.amount,
      next_action: null,
      last_payment_error: null,
    });
    record(intent);
    emit('payment_intent.succeeded', intent);
    return intent;
  };

  const fail = (intent: PaymentIntent, error: Record<string, unknown>): PaymentIntent => {
    const method = books.methods.get(intent.payment_method ?? '');
    Object.assign(intent, {
      status: 'requires_payment_method',
      next_action: null,
      last_payment_error: { ...error, payment_method: structuredClone(method) },
      payment_method: null,
    });
    emit('payment_intent.payment_failed', intent);
    return intent;
  };

  const decline = (intent: PaymentIntent, reason: keyof typeof DECLINES): ProviderError => {
    const error = {
      type: 'card_error',
      ...DECLINES[reason],
      doc_url: `https://stripe.com/docs/error-codes/${DECLINES[reason].code.replaceAll('_', '-')}`,
    };
    const charge = record(intent, DECLINES[reason]);
    fail(intent, { ...error, charge: charge.id });
    return new ProviderError(402, {
      ...error,
      charge: charge.id,
      payment_intent: structuredClone(intent),
      payment_method: intent.last_payment_error?.payment_method,
    });
  };

  const attempt = (intent: PaymentIntent, verdict: Verdict, offSession: boolean): PaymentIntent => {
    if (verdict === 'approve' || (verdict === 'authenticate-on-session' && offSession))
      return succeed(intent);
    if (verdict === 'process') {
      intent.status = 'processing';
      emit('payment_intent.processing', intent);
      return intent;
    }
    if (verdict === 'authenticate' || verdict === 'authenticate-on-session') {
      if (offSession) throw decline(intent, 'authentication_required');
      Object.assign(intent, { status: 'requires_action', next_action: AUTHENTICATION });
      emit('payment_intent.requires_action', intent);
      return intent;
    }
    throw decline(intent, verdict);
  };

  const unexpected = (intent: PaymentIntent, message: string): ProviderError =>
    new ProviderError(400, {
      code: 'payment_intent_unexpected_state',
      doc_url: 'https://stripe.com/docs/error-codes/payment-intent-unexpected-state',
      message,
      payment_intent: structuredClone(intent),
    });

  const confirm = (intent: PaymentIntent, read: Reader): PaymentIntent => {
    if (!['requires_payment_method', 'requires_confirmation'].includes(intent.status))
      throw unexpected(
        intent,
        `You cannot confirm this PaymentIntent because it has a status of ${intent.status}.`,
      );
    const methodId = read.text('payment_method') ?? intent.payment_method;
    if (methodId === null)
      throw unexpected(
        intent,
        "You cannot confirm this PaymentIntent because it's missing a payment method.",
      );
    const method = chargeableMethod(books, methodId, intent.customer);
    intent.payment_method = method.id;
    return attempt(intent, books.verdicts.get(method.id) ?? 'approve', read.yes('off_session'));
  };

  const checkNew = (read: Reader): void => {
    checkAmount(read.integer('amount') ?? 0, read.text('currency') ?? '');
    const chosen = EXCLUSIVE.filter(
      (name) => read.text(name) !== undefined || Object.keys(read.hash(name)).length > 0,
    );
    if (chosen.length > 1)
      throw new ProviderError(400, {
        code: 'parameters_exclusive',
        message: `You may only specify one of these parameters: ${chosen.join(', ')}.`,
      });
    if (!read.yes('confirm')) {
      if (read.yes('off_session'))
        throw new ProviderError(400, {
          message: 'off_session can only be passed in when confirm=true.',
          param: 'off_session',
        });
      return;
    }
    checkRedirects(read);
  };

  return {
    confirm,
    fail,
    succeed,

    /** A refusal here was never carried out: it leaves nothing behind, not even for the key. */
    checkCreate: (read: Reader): void => {
      checkNew(read);
      const customer = read.text('customer');
      if (customer !== undefined) customerOf(books, customer);
      const method = read.text('payment_method');
      if (method !== undefined) chargeableMethod(books, method, customer ?? null);
    },

    create: (read: Reader): PaymentIntent => {
      const id = newId('pi');
      const allowed = read.list('allowed_payment_method_types');
      const method = read.text('payment_method') ?? null;
      const intent: PaymentIntent = {
        id,
        object: 'payment_intent',
        allowed_payment_method_types: allowed.length > 0 ? allowed : null,
        amount: read.integer('amount') ?? 0,
        amount_capturable: 0,
        amount_received: 0,
        canceled_at: null,
        cancellation_reason: null,
        capture_method: 'automatic_async',
        client_secret: `${id}_${newId('secret')}`,
        confirmation_method: 'automatic',
        created: nowSeconds(),
        currency: read.text('currency') ?? '',
        customer: read.text('customer') ?? null,
        description: read.text('description') ?? null,
        last_payment_error: null,
        latest_charge: null,
        livemode: true,
        metadata: read.metadata('metadata'),
        next_action: null,
        payment_method: method,
        payment_method_types: ['card'],
        status: method === null ? 'requires_payment_method' : 'requires_confirmation',
      };
      books.intents.set(id, intent);
      emit('payment_intent.created', intent);
      return read.yes('confirm') ? confirm(intent, read) : intent;
    },

    cancel: (intent: PaymentIntent, read: Reader): PaymentIntent => {
      const reason = read.text('cancellation_reason');
      if (
        reason !== undefined &&
        !['duplicate', 'fraudulent', 'requested_by_customer', 'abandoned'].includes(reason)
      )
        throw new ProviderError(400, {
          message:
            'Invalid cancellation_reason: must be one of duplicate, fraudulent, requested_by_customer, or abandoned',
          param: 'cancellation_reason',
        });
      if (!CANCELLABLE.includes(intent.status))
        throw unexpected(
          intent,
          `You cannot cancel this PaymentIntent because it has a status of ${intent.status}.`,
        );
      Object.assign(intent, {
        status: 'canceled',
        canceled_at: nowSeconds(),
        cancellation_reason: reason ?? null,
        next_action: null,
      });
      emit('payment_intent.canceled', intent);
      return intent;
    },

    /** The card holder's answer in the bank's dialog. */
    authenticate: (intent: PaymentIntent, approve: boolean): PaymentIntent => {
      if (intent.status !== 'requires_action')
        throw unexpected(intent, `This PaymentIntent has a status of ${intent.status}.`);
      return approve
        ? succeed(intent)
        : fail(intent, {
            type: 'invalid_request_error',
            code: 'payment_intent_authentication_failure',
            message:
              'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
          });
    },

    list: (read: Reader): { object: 'list'; url: string; has_more: boolean; data: PaymentIntent[] } => {
      const limit = read.integer('limit') ?? 10;
      if (limit < 1 || limit > 100)
        throw new ProviderError(400, { message: 'This value must be between 1 and 100.', param: 'limit' });
      const customer = read.text('customer');
      if (customer !== undefined) customerOf(books, customer);
      const created = read.hash('created');
      const bound = (name: string, otherwise: number) => Number(created[name] ?? otherwise);
      const newestFirst = [...books.intents.values()]
        .reverse()
        .filter(
          (intent) =>
            (customer === undefined || intent.customer === customer) &&
            intent.created >= bound('gte', 0) &&
            intent.created > bound('gt', 0) &&
            intent.created <= bound('lte', Number.POSITIVE_INFINITY) &&
            intent.created < bound('lt', Number.POSITIVE_INFINITY),
        );
      const after = read.text('starting_after');
      const start = after === undefined ? 0 : newestFirst.findIndex(({ id }) => id === after) + 1;
      return {
        object: 'list',
        url: '/v1/payment_intents',
        has_more: newestFirst.length > start + limit,
        data: newestFirst.slice(start, start + limit),
      };
    },
  };
};
