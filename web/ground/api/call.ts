import type { z } from 'zod';
import type {
  Body,
  Headers as CallHeaders,
  CallName,
  Calls,
  Params,
  Query,
} from '../../../contract/calls.ts';
import type { ErrorReply } from '../../../contract/ground/errors.ts';
import { activeLanguage, LANGUAGE_TAGS } from '../i18n/language.ts';
import { t } from '../i18n/translate.ts';
import { ApiError, networkFault } from './api-error.ts';
import { endSession, storedToken } from './session.ts';

const BASE = '/api';
const TIMEOUT_MS = 30_000;

/** The reply of a call, after its schema's transformations. */
export type Answer<N extends CallName> = z.output<Calls[N]['reply']>;

type Given<T> = { [K in keyof T as T[K] extends undefined ? never : K]: T[K] };
type Parts<N extends CallName> = Given<{
  params: Params<N>;
  query: Query<N>;
  body: Body<N>;
  headers: CallHeaders<N>;
}>;
/** `anonymous` calls are those of a guest: they carry no token, so a refusal cannot end a session. */
type Options<N extends CallName> = Parts<N> &
  Pick<AnyOptions, 'anonymous' | 'token' | 'timeoutMs' | 'signal'>;
type Arguments<N extends CallName> = keyof Parts<N> extends never
  ? [options?: Options<N>]
  : [options: Options<N>];

export interface AnyOptions {
  params?: Record<string, string>;
  query?: Record<string, string | number | boolean | undefined>;
  body?: unknown;
  headers?: Record<string, string | undefined>;
  anonymous?: boolean;
  /** Of another session than the tab's own. */
  token?: string | null;
  timeoutMs?: number;
  /** Ends the call when its answer is no longer needed. */
  signal?: AbortSignal;
}

/** The address of a call: parameters are filled into its path, absent query values left out. */
export const callUrl = (path: string, { params = {}, query = {} }: Pick<AnyOptions, 'params' | 'query'>) => {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
  const text = search.toString();
  return `${BASE}${filled}${text && `?${text}`}`;
};

export const headersOf = ({ headers = {}, body }: AnyOptions, token: string | null) => {
  const all = new Headers({ 'Accept-Language': LANGUAGE_TAGS[activeLanguage()].http });
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) all.set(name, value);
  if (token) all.set('Authorization', token);
  if (body !== undefined) all.set('Content-Type', 'application/json');
  return all;
};

const send = async (method: string, path: string, options: AnyOptions, token: string | null) => {
  const timeout = AbortSignal.timeout(options.timeoutMs ?? TIMEOUT_MS);
  try {
    const response = await fetch(callUrl(path, options), {
      method,
      headers: headersOf(options, token),
      body: options.body === undefined ? undefined : JSON.stringify(options.body),
      signal: options.signal ? AbortSignal.any([options.signal, timeout]) : timeout,
    });
    return { response, content: await response.blob() };
  } catch {
    throw networkFault();
  }
};

export const parsed = (content: string): unknown => {
  try {
    return JSON.parse(content);
  } catch {
    return undefined;
  }
};

export const replyFault = (status: number, content: unknown): ApiError => {
  const reply = (typeof content === 'object' ? content : null) as Partial<ErrorReply> | null;
  return new ApiError({
    code: reply?.code ?? 'E_INTERNAL',
    // A proxy in between may answer with a text of its own, which is not meant for the reader.
    message: reply?.message ?? t(status === 413 ? 'api.too_large' : 'api.unexpected'),
    status,
    requestId: reply?.requestId ?? '',
  });
};

/** The content of a successful answer, of any content type; any other answer is thrown as an ApiError. */
export const sendRequest = async (method: string, path: string, options: AnyOptions = {}) => {
  const { anonymous, token = anonymous ? null : storedToken() } = options;
  const { response, content } = await send(method, path, options, token);
  if (response.ok) return { response, content };
  // The token may have been replaced during the call; then the new session goes on.
  if (response.status === 401 && token && token === storedToken()) endSession('expired');
  throw replyFault(response.status, parsed(await content.text()));
};

/** Makes one call of the contract, such as `call('POST /account/login', { body })`. */
export const call = async <N extends CallName>(name: N, ...[given]: Arguments<N>): Promise<Answer<N>> => {
  const [method = '', path = ''] = name.split(' ');
  const { response, content } = await sendRequest(method, path, given as AnyOptions);
  const reply = parsed(await content.text());
  if (reply === undefined) throw replyFault(response.status, reply);
  return reply as Answer<N>;
};
