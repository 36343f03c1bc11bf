import type { Tasks } from '../../ground/queue/index.ts';
import { removeExpiredInvitations } from './admins/invitation-store.ts';
import { mailRequest, SEND_MAIL } from './mails/mail-request.ts';
import { removeExpiredMailTokens } from './mails/mail-token-store.ts';
import { type SendMailDeps, sendMail } from './mails/send-mail.ts';
import { removeEndedSecrets } from './secrets/old-secret-store.ts';
import { removeExpiredSessions } from './sessions/session-store.ts';
import { removeUnactivated } from './store.ts';

/** People who have not activated by then have to register again; there is no reason to store their email for longer. */
const UNACTIVATED_SECONDS = 30 * 24 * 3600;

export const accountTasks = (deps: SendMailDeps): Tasks => ({
  [SEND_MAIL]: {
    run: (data) => sendMail(deps, mailRequest.parse(data)),
    retryLimit: 8,
    retryDelaySeconds: 5,
    concurrency: 4,
    onGiveUp: async (data) => {
      const { kind, mailId } = mailRequest.parse(data);
      deps.log.warn({ kind, mailId }, 'mail given up');
    },
  },
  'accounts.remove-expired-tokens': {
    cron: '*/15 * * * *',
    run: async () => {
      await removeExpiredSessions(deps.db);
      await removeExpiredMailTokens(deps.db);
      await removeEndedSecrets(deps.db);
      await removeExpiredInvitations(deps.db);
    },
  },
  'accounts.remove-unactivated': {
    cron: '40 19 * * *',
    run: () => removeUnactivated(deps.db, UNACTIVATED_SECONDS),
  },
});
