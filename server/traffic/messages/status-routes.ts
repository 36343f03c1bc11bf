import { DomainError } from '../../ground/domain-error.ts';
import type { Db } from '../../ground/postgres/index.ts';
import type { SenderRoutes } from '../../ground/route/index.ts';
import { findMessage } from './details/message-store.ts';
import { viewOutcome } from './details/view-outcome.ts';

/** The outcome of a message, for an account's secret, its test secret or its session. */
export const statusRoutes = ({ db }: { db: Db }): SenderRoutes => ({
  'GET /messages/:messageId': async ({ sender, params, language }) => {
    const message = await findMessage(db, { accountId: sender.accountId, ...params });
    // A test secret is given to others more easily: it sees what it sent, and nothing else.
    if (!message || (sender.test && !(message.test && message.priceMicros === 0n)))
      throw new DomainError('E_NOT_FOUND');
    return viewOutcome(message, language);
  },
});
