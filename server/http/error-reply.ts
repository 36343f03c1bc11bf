import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod';
import type { ErrorCode, ErrorReply } from '../../contract/ground/errors.ts';
import { DomainError } from '../ground/domain-error.ts';
import { isConnectionError, isUnstorableText, isWriteConflict } from '../ground/postgres/index.ts';
import { type Label, languageOf, type Phrase, text } from '../ground/translations/index.ts';
import { inputFault } from './registering/input-fault.ts';

/** The one place where an error becomes a reply; codes that are not listed mean a bad request: 400. */
const STATUS: Partial<Record<ErrorCode, number>> = {
  E_INTERNAL: 500,
  E_NOT_FOUND: 404,
  E_METHOD_NOT_ALLOWED: 405,
  E_CONTENT_TYPE: 415,
  E_TOO_LARGE: 413,
  E_TOO_MANY_REQUESTS: 429,
  E_TEST_TEXT_LIMIT: 429,
  E_UNAVAILABLE: 503,
  E_LOGIN_REQUIRED: 401,
  E_FORBIDDEN: 403,
  E_BAD_CREDENTIALS: 401,
  E_NOT_ACTIVATED: 403,
  E_REGISTRATION_CLOSED: 403,
  E_INVITATION_NEEDED: 403,
  E_EMAIL_TAKEN: 409,
  E_INVITED_AS_ADMIN: 409,
  E_CARD_DECLINED: 402,
  E_BALANCE_TOO_LOW: 402,
  E_SANDBOX_MONEY: 402,
  E_NOT_APPROVED: 403,
  E_SUSPENDED: 403,
  E_VIEW_ONLY: 403,
  E_VIEW_NEVER: 403,
  E_VIEW_ADMIN: 403,
  E_OWN_ACCOUNT: 403,
  E_OWN_MESSAGE: 403,
  E_ADMIN_ABOVE: 403,
  E_ALREADY_ACTIVATED: 409,
  E_DAY_LIMIT: 403,
  E_NEW_COUNTRIES: 403,
  E_IDEMPOTENCY_KEY_REUSED: 409,
  E_SECRET_MISSING: 401,
  E_SECRET_INVALID: 401,
  E_SECRET_IN_HEADER: 413,
  E_SECRET_FIRST: 401,
  E_TOO_MANY_OLD_SECRETS: 409,
  E_NO_LANE: 503,
  E_LANE_EXISTS: 409,
  E_LANE_OF_SETTINGS: 409,
  E_LANE_OF_PHONE: 409,
  E_LANE_NOT_ON: 409,
  E_PRICE_PAST: 409,
  E_PHONE_EXISTS: 409,
  E_PHONE_SOFT_RELEASE: 409,
  E_LANE_OF_DEVICE: 409,
  E_DEVICE_UNKNOWN: 404,
  E_TOO_MANY_DEVICES: 409,
  E_DEVICES_TODAY: 429,
  E_DEVICES_UNPAIRED: 409,
  E_DEVICE_RUNNING: 409,
  E_DEVICE_PENDING: 409,
  E_DEVICE_STOPPED: 409,
  E_DEVICE_STOPPING: 409,
  E_DEVICE_BANNED: 409,
  E_DEVICE_PAIRED: 409,
  E_DEVICE_WAITING: 409,
  E_DEVICE_NOT_RUNNING: 409,
  E_DEVICE_SIMULATED: 409,
  E_DEVICE_MIXED: 409,
  E_NOT_TRANSFERRED: 409,
  E_NO_SESSION: 409,
  E_MEDIA_NOT_READY: 409,
  E_CSV_TOO_MANY_ROWS: 413,
  E_CSV_TEXT_TOO_LONG: 413,
  E_UPLOAD_SENT: 409,
  E_NONE_FAILED: 409,
  E_BATCH_TOO_OLD: 409,
  E_NOT_WAITING: 409,
  E_BEING_SENT: 409,
  E_MESSAGE_CANCELLED: 409,
  E_ACCOUNT_CLOSED: 403,
  E_LAST_OWNER: 409,
  E_EXPORT_RUNNING: 409,
  E_SENDER_NOT_GIVEN: 403,
  E_SENDER_UNVERIFIED: 403,
  E_SENDER_DNS_SILENT: 503,
  E_TOO_MANY_SENDERS: 409,
  E_QUERY_UNAVAILABLE: 503,
  E_TOO_MANY_BOOKMARKS: 409,
};

export const httpStatusOf = (code: ErrorCode): number => STATUS[code] ?? 400;

/** The caller hung up in the middle of the request: nobody reads the reply, and nothing is wrong here. */
const isCutOff = (error: FastifyError, { raw }: FastifyRequest): boolean =>
  error.code === 'ECONNRESET' && raw.errored !== null;

const BODY_FAULTS: Record<string, Label> = {
  FST_ERR_CTP_EMPTY_JSON_BODY: 'input.no_body',
  FST_ERR_CTP_INVALID_JSON_BODY: 'input.not_json',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'input.bad_length',
};

/** What is wrong with a body that could not be read, in the reader's language where we have words for it. */
const bodyFault = ({ code, message }: FastifyError): Phrase | string => {
  const label = BODY_FAULTS[code];
  return label ? { label } : message;
};

const asDomainError = (error: FastifyError, request: FastifyRequest): DomainError => {
  if (error instanceof DomainError) return error;
  if (isCutOff(error, request))
    return new DomainError('E_INVALID_REQUEST', { reason: { label: 'input.cut_off' } });
  if (hasZodFastifySchemaValidationErrors(error)) {
    const [fault] = error.validation;
    return inputFault({
      ...fault?.params,
      code: fault?.keyword ?? '',
      path: fault?.instancePath.split('/').filter(Boolean) ?? [],
      message: fault?.message ?? '',
    });
  }
  if (error.statusCode === 413) return new DomainError('E_TOO_LARGE');
  if (error.statusCode === 415)
    return new DomainError('E_CONTENT_TYPE', {
      expected: request.routeOptions.config.upload ? 'multipart/form-data' : 'application/json',
    });
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500)
    return new DomainError('E_INVALID_REQUEST', { reason: bodyFault(error) });
  if (isUnstorableText(error))
    return new DomainError('E_INVALID_REQUEST', { reason: { label: 'input.nul' } });
  // Nothing is left of what collided with another: whoever comes again finds the way free.
  return new DomainError(isConnectionError(error) || isWriteConflict(error) ? 'E_UNAVAILABLE' : 'E_INTERNAL');
};

export const replyWithError = (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
  const { code, params } = asDomainError(error, request);
  const status = httpStatusOf(code);
  // A refusal for want of room is no fault, and there may be many of them just when there is no time.
  if (status === 503 && error instanceof DomainError && error.cause === undefined)
    request.log.warn({ code }, 'request refused for now');
  else if (status >= 500) request.log.error({ err: error }, 'request failed');
  const retryAfterSeconds = params.seconds ?? (status === 503 ? 5 : undefined);
  if (retryAfterSeconds !== undefined) reply.header('retry-after', retryAfterSeconds);
  if (params.methods !== undefined) reply.header('allow', `${params.methods}, OPTIONS`);
  const language = languageOf(request.headers['accept-language']);
  const body: ErrorReply = { code, message: text(language, `error.${code}`, params), requestId: request.id };
  return reply.code(status).header('cache-control', 'no-store').send(body);
};
