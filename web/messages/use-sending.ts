import { useState } from 'react';
import { ApiError } from '../api/api-error.ts';
import { call } from '../api/call.ts';
import { queryClient } from '../api/query-client.ts';
import { t } from '../i18n/translate.ts';
import { toastFailure, toastSuccess } from '../ui/toast.ts';
import { openAttempts } from './attempts.ts';
import type { SendRequest } from './draft.ts';
import { type Accepted, refreshBalance, sentQuery } from './message-queries.ts';
import { useHeldButton } from './use-held-button.ts';

export interface SendFailure {
  message: string;
  /** Whether the message was sent is not known. */
  unknown: boolean;
}

/** Puts it on top of the table; a repeated answer tells of a message that is there already. */
const remember = ({ channel, body }: SendRequest, accepted: Accepted): void => {
  const { queryKey } = sentQuery;
  const sent = queryClient.getQueryData(queryKey) ?? [];
  if (sent.some(({ _id }) => _id === accepted._id)) return;
  const at = new Date().toISOString();
  queryClient.setQueryData(queryKey, [
    { ...accepted, channel, fromPhone: body.fromPhone ?? '', at },
    ...sent,
  ]);
  toastSuccess(t('send.sent'));
};

/** A server that failed may have stored the message before; one that found no way out has not. */
export const isUnknown = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 0 || error.status >= 500) && error.code !== 'E_NO_LANE';

export const useSending = () => {
  const { held: sending, hold } = useHeldButton();
  const [failure, setFailure] = useState<SendFailure>();
  const [attempts] = useState(openAttempts);

  const send = async (request: SendRequest): Promise<void> => {
    const { channel, body } = request;
    const content = JSON.stringify(request);
    const release = hold();
    setFailure(undefined);
    try {
      const accepted = await call('POST /:channel/send', {
        params: { channel },
        body,
        headers: { 'idempotency-key': attempts.keyFor(content) },
      });
      attempts.accepted(content);
      remember(request, accepted);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      const unknown = isUnknown(error);
      if (!unknown) attempts.refused(content);
      setFailure({ message, unknown });
      toastFailure(message);
    } finally {
      release();
      refreshBalance();
    }
  };

  return { sending, failure, send };
};
