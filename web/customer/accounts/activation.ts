import { ApiError } from '../../ground/api/api-error.ts';
import { call } from '../../ground/api/call.ts';
import { saveSession } from '../../ground/api/session.ts';

let current: { token: string; outcome: Promise<void> } | undefined;

const run = async (token: string) =>
  saveSession(await call('POST /activate', { body: { token }, anonymous: true }));

/** A link's token works once, so a page that is rendered twice must not send it twice. */
export const activateOnce = (token: string): Promise<void> => {
  if (current?.token !== token) current = { token, outcome: run(token) };
  return current.outcome;
};

/** Unless the server has clearly refused the token, it may still be valid. */
export const mayRetryActivation = (error: unknown) =>
  error instanceof ApiError && (error.status === 0 || error.status === 429 || error.status >= 500);

export const forgetActivation = () => {
  current = undefined;
};
