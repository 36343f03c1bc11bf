export type Form = { [name: string]: string | Form };

/** An error in the shape of https://docs.stripe.com/api/errors. */
export class ProviderError extends Error {
  readonly status: number;
  readonly error: Record<string, unknown>;

  constructor(status: number, error: { message: string; type?: string } & Record<string, unknown>) {
    super(error.message);
    this.status = status;
    this.error = { type: 'invalid_request_error', ...error };
  }
}

export const missing = (what: string, id: string, param: string, inPath: boolean): ProviderError =>
  new ProviderError(inPath ? 404 : 400, {
    code: 'resource_missing',
    doc_url: 'https://stripe.com/docs/error-codes/resource-missing',
    message: `No such ${what}: '${id}'`,
    param,
  });

const place = (form: Form, path: string[], value: string): void => {
  const [name = '', ...rest] = path;
  // `a[]=x&a[]=y` appends.
  const key = name === '' ? String(Object.keys(form).length) : name;
  if (rest.length === 0) {
    form[key] = value;
    return;
  }
  const inner = form[key];
  const next: Form = typeof inner === 'object' ? inner : {};
  form[key] = next;
  place(next, rest, value);
};

/** `a[b][0]=c` as a nested object. */
export const readForm = (text: string): Form => {
  const form: Form = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const path = /^([^[\]]+)((?:\[[^[\]]*\])*)$/.exec(name);
    if (!path)
      throw new ProviderError(400, { code: 'parameter_unknown', message: `Invalid parameter: ${name}` });
    place(
      form,
      [path[1] ?? '', ...[...(path[2] ?? '').matchAll(/\[([^[\]]*)\]/g)].map(([, inner]) => inner ?? '')],
      value,
    );
  }
  return form;
};

export type Kind = 'text' | 'integer' | 'boolean' | 'list' | 'hash' | 'metadata' | 'range';
export type Parameters = Record<string, Kind>;

const refusal = (code: string, param: string, message: string): ProviderError =>
  new ProviderError(400, {
    code,
    doc_url: `https://stripe.com/docs/error-codes/${code.replaceAll('_', '-')}`,
    message,
    param,
  });

const checkMetadata = (param: string, value: Form): void => {
  if (Object.keys(value).length > 50) throw refusal('', param, 'Metadata can have up to 50 keys');
  for (const [key, text] of Object.entries(value)) {
    if (key.length > 40) throw refusal('', param, 'Metadata keys can be up to 40 characters long');
    if (typeof text !== 'string' || text.length > 500)
      throw refusal('', `${param}[${key}]`, 'Metadata values can be up to 500 characters long');
  }
};

const checkValue = (param: string, kind: Kind, value: string | Form): void => {
  if (kind === 'range' && typeof value === 'object') {
    for (const [bound, text] of Object.entries(value)) {
      if (!['gt', 'gte', 'lt', 'lte'].includes(bound))
        throw refusal(
          'parameter_unknown',
          `${param}[${bound}]`,
          `Received unknown parameter: ${param}[${bound}]`,
        );
      checkValue(`${param}[${bound}]`, 'integer', text);
    }
    return;
  }
  if (kind === 'list' || kind === 'hash' || kind === 'metadata') {
    if (typeof value === 'string')
      throw refusal('', param, kind === 'list' ? 'Invalid array' : 'Invalid object');
    if (kind === 'metadata') checkMetadata(param, value);
    return;
  }
  if (typeof value !== 'string') throw refusal('', param, 'Invalid string');
  if (value === '')
    throw refusal('parameter_invalid_empty', param, `You passed an empty string for '${param}'.`);
  if ((kind === 'integer' || kind === 'range') && !/^-?\d{1,15}$/.test(value))
    throw refusal('parameter_invalid_integer', param, `Invalid integer: ${value}`);
  if (kind === 'boolean' && !['true', 'false'].includes(value))
    throw refusal('', param, `Invalid boolean: ${value}`);
};

/** Refuses what the documented schema of a call refuses. */
export const checkParameters = (form: Form, parameters: Parameters, required: string[]): void => {
  // An old parameter has its own code: https://docs.stripe.com/changelog/endive.
  if ('payment_method_types' in form && 'allowed_payment_method_types' in parameters)
    throw refusal(
      'payment_method_types_no_longer_supported',
      'payment_method_types',
      'The `payment_method_types` parameter is no longer supported.',
    );
  const unknown = Object.keys(form).filter((name) => !(name in parameters));
  if (unknown.length > 0)
    throw refusal(
      'parameter_unknown',
      unknown[0] ?? '',
      `Received unknown parameter${unknown.length > 1 ? 's' : ''}: ${unknown.join(', ')}`,
    );
  for (const name of required)
    if (form[name] === undefined)
      throw refusal('parameter_missing', name, `Missing required param: ${name}.`);
  for (const [name, value] of Object.entries(form)) checkValue(name, parameters[name] ?? 'text', value);
};

/** After `checkParameters`: the values in their types. */
export const reader = (form: Form) => ({
  text: (name: string): string | undefined => {
    const value = form[name];
    return typeof value === 'string' ? value : undefined;
  },
  integer: (name: string): number | undefined =>
    typeof form[name] === 'string' ? Number(form[name]) : undefined,
  yes: (name: string): boolean => form[name] === 'true',
  list: (name: string): string[] =>
    typeof form[name] === 'object'
      ? Object.values(form[name]).filter((one): one is string => typeof one === 'string')
      : [],
  hash: (name: string): Form => (typeof form[name] === 'object' ? form[name] : {}),
  metadata: (name: string): Record<string, string> => {
    const value = form[name];
    return typeof value === 'object' ? (value as Record<string, string>) : {};
  },
});
export type Reader = ReturnType<typeof reader>;
