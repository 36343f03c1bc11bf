import { intentBook } from './card-provider-intents.ts';
import { type Books, newBooks, type ProviderObject } from './card-provider-objects.ts';
import * as allowed from './card-provider-parameters.ts';
import { refundBook } from './card-provider-refunds.ts';
import {
  checkParameters,
  type Form,
  missing,
  type Parameters,
  ProviderError,
  type Reader,
  reader,
} from './card-provider-request.ts';
import { type Emit, setupBook, type TypedCard } from './card-provider-setups.ts';

interface Call {
  method: 'GET' | 'POST' | 'DELETE';
  path: RegExp;
  parameters: Parameters;
  required?: string[];
  /** Whether the form in the page may call it, with the public key and the object's client secret. */
  fromPage?: boolean;
  /** Refused before the call is carried out, and so not stored for its idempotency key. */
  check?: (read: Reader) => void;
  run: (read: Reader, id: string) => object;
}

const find = <T>(map: Map<string, T>, what: string, id: string): T => {
  const object = map.get(id);
  if (object === undefined) throw missing(what, id, 'id', true);
  return object;
};

const typedCard = (read: Reader): TypedCard => {
  const { card } = read.hash('payment_method_data');
  const typed: Form = typeof card === 'object' ? card : {};
  return {
    number: String(typed.number ?? '').replaceAll(' ', ''),
    expMonth: Number(typed.exp_month),
    expYear: Number(typed.exp_year),
    cvc: String(typed.cvc ?? ''),
  };
};

const EXPANDABLE: Record<string, (books: Books, id: string) => ProviderObject | undefined> = {
  customer: (books, id) => books.customers.get(id),
  payment_method: (books, id) => books.methods.get(id),
  latest_charge: (books, id) => books.charges.get(id),
};

const expand = (books: Books, object: object, names: string[]): object => {
  const copy = structuredClone(object) as Record<string, unknown>;
  for (const name of names) {
    const read = EXPANDABLE[name];
    if (!read || !(name in copy))
      throw new ProviderError(400, {
        message: `This property cannot be expanded (${name}).`,
        param: 'expand',
      });
    if (typeof copy[name] === 'string') copy[name] = structuredClone(read(books, copy[name]));
  }
  return copy;
};

/** The API calls that a shop like ours uses, and what they do. */
export const cardProviderApi = (emit: Emit) => {
  const books = newBooks();
  const setups = setupBook(books, emit);
  const intents = intentBook(books, emit);
  const refunds = refundBook(books, emit);
  const setup = (id: string) => find(books.setups, 'setupintent', id);
  const intent = (id: string) => find(books.intents, 'payment_intent', id);

  const authenticate = (read: Reader): object => {
    const id = (read.text('client_secret') ?? '').split('_secret_')[0] ?? '';
    return id.startsWith('seti_')
      ? setups.authenticateSetup(setup(id), read.yes('approve'))
      : intents.authenticate(intent(id), read.yes('approve'));
  };

  const calls: Call[] = [
    { method: 'POST', path: /^\/v1\/customers$/, parameters: allowed.CUSTOMER, run: setups.createCustomer },
    {
      method: 'GET',
      path: /^\/v1\/customers\/([^/]+)$/,
      parameters: allowed.PLAIN,
      run: (_, id) => find(books.customers, 'customer', id),
    },
    {
      method: 'DELETE',
      path: /^\/v1\/customers\/([^/]+)$/,
      parameters: {},
      run: (_, id) => setups.deleteCustomer(find(books.customers, 'customer', id)),
    },
    { method: 'POST', path: /^\/v1\/setup_intents$/, parameters: allowed.SETUP, run: setups.createSetup },
    {
      method: 'GET',
      path: /^\/v1\/setup_intents\/([^/]+)$/,
      parameters: allowed.RETRIEVE,
      fromPage: true,
      run: (_, id) => setup(id),
    },
    {
      method: 'POST',
      path: /^\/v1\/setup_intents\/([^/]+)\/confirm$/,
      parameters: allowed.SETUP_CONFIRM,
      fromPage: true,
      run: (read, id) => setups.confirmSetup(setup(id), typedCard(read)),
    },
    {
      method: 'GET',
      path: /^\/v1\/payment_methods\/([^/]+)$/,
      parameters: allowed.PLAIN,
      run: (_, id) => find(books.methods, 'PaymentMethod', id),
    },
    {
      method: 'POST',
      path: /^\/v1\/payment_methods\/([^/]+)\/detach$/,
      parameters: allowed.PLAIN,
      run: (_, id) => setups.detach(find(books.methods, 'PaymentMethod', id)),
    },
    {
      method: 'POST',
      path: /^\/v1\/payment_intents$/,
      parameters: allowed.INTENT,
      required: ['amount', 'currency'],
      check: intents.checkCreate,
      run: intents.create,
    },
    {
      method: 'GET',
      path: /^\/v1\/payment_intents$/,
      parameters: allowed.INTENT_LIST,
      run: intents.list,
    },
    {
      method: 'GET',
      path: /^\/v1\/payment_intents\/([^/]+)$/,
      parameters: allowed.RETRIEVE,
      fromPage: true,
      run: (_, id) => intent(id),
    },
    {
      method: 'POST',
      path: /^\/v1\/payment_intents\/([^/]+)\/confirm$/,
      parameters: allowed.INTENT_CONFIRM,
      fromPage: true,
      run: (read, id) => intents.confirm(intent(id), read),
    },
    {
      method: 'POST',
      path: /^\/v1\/payment_intents\/([^/]+)\/cancel$/,
      parameters: allowed.INTENT_CANCEL,
      run: (read, id) => intents.cancel(intent(id), read),
    },
    { method: 'POST', path: /^\/v1\/refunds$/, parameters: allowed.REFUND, run: refunds.refund },
    { method: 'GET', path: /^\/v1\/refunds$/, parameters: allowed.REFUND_LIST, run: refunds.list },
    {
      method: 'POST',
      path: /^\/v1\/3ds2\/authenticate$/,
      parameters: allowed.AUTHENTICATE,
      required: ['client_secret', 'approve'],
      fromPage: true,
      run: authenticate,
    },
  ];

  const secretOf = (id: string): string | undefined =>
    books.setups.get(id)?.client_secret ?? books.intents.get(id)?.client_secret;

  /** The client secret proves that the page was given this one object. */
  const checkPage = (call: Call, read: Reader, id: string): void => {
    const secret = read.text('client_secret');
    const named = id === '' ? (secret?.split('_secret_')[0] ?? '') : id;
    if (!call.fromPage || secret === undefined || secretOf(named) !== secret)
      throw new ProviderError(secret === undefined ? 401 : 400, {
        message: 'The client_secret provided does not match the client_secret associated with this object.',
        param: 'client_secret',
      });
  };

  /** Finds the call and refuses what Stripe refuses; the returned function carries it out. */
  const prepare = (request: { method: string; path: string; form: Form; secretKey: boolean }) => {
    const call = calls.find(({ method, path }) => method === request.method && path.test(request.path));
    if (!call)
      throw new ProviderError(404, {
        message: `Unrecognized request URL (${request.method}: ${request.path}).`,
      });
    const id = decodeURIComponent(call.path.exec(request.path)?.[1] ?? '');
    checkParameters(request.form, call.parameters, call.required ?? []);
    const read = reader(request.form);
    if (!request.secretKey) checkPage(call, read, id);
    call.check?.(read);
    return (): object => expand(books, call.run(read, id), read.list('expand'));
  };

  return { books, setups, intents, refunds, prepare };
};
