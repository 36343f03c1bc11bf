import { useState } from 'react';
import { call } from '../../ground/api/call.ts';
import { type CallFailure, callFailure } from '../../ground/api/call-failure.ts';
import { queryClient } from '../../ground/api/query-client.ts';
import { refreshBalance } from '../../ground/api/refresh-balance.ts';
import { t } from '../../ground/i18n/translate.ts';
import { dropFailure, toastFailure, toastSuccess } from '../../ground/ui/feedback/toast.ts';
import { useHeldButton } from '../../ground/ui/forms/use-held-button.ts';
import { openAttempts } from './attempts.ts';
import type { DraftedRequest } from './draft.ts';
import { type Accepted, sentQuery } from './sending-queries.ts';

const SUBJECT = 'send';

/** Puts the message on top of the table. A repeated answer is about a message that is there already. */
const remember = ({ channel, body }: DraftedRequest, accepted: Accepted): void => {
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

export const useSending = () => {
  const { held: sending, hold } = useHeldButton();
  const [failure, setFailure] = useState<CallFailure>();
  const [attempts] = useState(openAttempts);

  /** Whether it was accepted. */
  const send = async (request: DraftedRequest): Promise<boolean> => {
    const { channel, body } = request;
    const content = JSON.stringify(request);
    const release = hold();
    setFailure(undefined);
    dropFailure(SUBJECT);
    try {
      const accepted = await call('POST /:channel/send', {
        params: { channel },
        body,
        headers: { 'idempotency-key': attempts.keyFor(content) },
      });
      attempts.accepted(content);
      remember(request, accepted);
      return true;
    } catch (error) {
      const found = callFailure(error);
      if (!found.unknown) attempts.refused(content);
      setFailure(found);
      toastFailure(found.message, SUBJECT);
      return false;
    } finally {
      release();
      refreshBalance();
    }
  };

  return { sending, failure, send };
};
