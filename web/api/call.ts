import type { z } from 'zod';
import type { Body, CallName, Calls, Params, Query } from '../../contract/calls.ts';
import type { ErrorReply } from '../../contract/errors.ts';
import { activeLanguage, LANGUAGE_TAGS } from '../i18n/language.ts';
import { t } from '../i18n/translate.ts';
import { ApiError } from './api-error.ts';
import { expireSession, storedToken } from './session.ts';

const BASE = '/api';
const TIMEOUT_MS = 30_000;

/** What a call answers, as the reader of the answer sees it. */
export type Answer<N extends CallName> = z.output<Calls[N]['reply']>;

type Given<T> = { [K in keyof T as T[K] extends undefined ? never : K]: T[K] };
type Parts<N extends CallName> = Given<{ params: Params<N>; query: Query<N>; body: Body<N> }>;
/** `anonymous` calls are those of a guest: they carry no token, so a refusal cannot end a session. */
type Options<N extends CallName> = Parts<N> & { anonymous?: boolean };
type Arguments<N extends CallName> = keyof Parts<N> extends never
  ? [options?: Options<N>]
  : [options: Options<N>];

interface AnyOptions {
  params?: Record<string, string>;
  query?: Record<string, string | number | boolean | undefined>;
  body?: unknown;
  anonymous?: boolean;
}

/** The address of a call: parameters are filled into its path, absent query values left out. */
export const addressOf = (
  path: string,
  { params = {}, query = {} }: Pick<AnyOptions, 'params' | 'query'>,
) => {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
  const text = search.toString();
  return `${BASE}${filled}${text && `?${text}`}`;
};

const send = async (method: string, path: string, options: AnyOptions, token: string | null) => {
  const headers = new Headers({ 'Accept-Language': LANGUAGE_TAGS[activeLanguage()].http });
  if (token) headers.set('Authorization', token);
  if (options.body !== undefined) headers.set('Content-Type', 'application/json');
  try {
    const response = await fetch(addressOf(path, options), {
      method,
      headers,
      body: options.body === undefined ? undefined : JSON.stringify(options.body),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return { response, content: await response.text() };
  } catch {
    // Offline, refused, cut off or too slow: for the reader it is all one thing.
    throw new ApiError({ code: 'E_NETWORK', message: t('api.network'), status: 0, requestId: '' });
  }
};

const parsed = (content: string): unknown => {
  try {
    return JSON.parse(content);
  } catch {
    return undefined;
  }
};

const faultOf = (status: number, content: unknown): ApiError => {
  const reply = (typeof content === 'object' ? content : null) as Partial<ErrorReply> | null;
  return new ApiError({
    code: reply?.code ?? 'E_INTERNAL',
    // A proxy in between answers in its own words, which are not for the reader.
    message: reply?.message ?? t('api.unexpected'),
    status,
    requestId: reply?.requestId ?? '',
  });
};

/** Makes one call of the contract, such as `call('POST /account/login', { body })`. */
export const call = async <N extends CallName>(name: N, ...[given]: Arguments<N>): Promise<Answer<N>> => {
  const options = (given ?? {}) as AnyOptions;
  const [method = '', path = ''] = name.split(' ');
  const token = options.anonymous ? null : storedToken();
  const { response, content } = await send(method, path, options, token);
  const reply = parsed(content);
  if (response.ok && reply !== undefined) return reply as Answer<N>;
  // The token may have been replaced while the call was under way; then the new session goes on.
  if (response.status === 401 && token && token === storedToken()) expireSession();
  throw faultOf(response.status, reply);
};
