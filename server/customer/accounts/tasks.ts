import type { MailTaskDeps } from '../../ground/mail/index.ts';
import type { Db } from '../../ground/postgres/index.ts';
import type { Tasks } from '../../ground/queue/index.ts';
import { removeExpiredInvitations } from './admins/invitation-store.ts';
import { accountMails } from './mails/account-mails.ts';
import { removeExpiredMailTokens } from './mails/mail-token-store.ts';
import { writeMail } from './mails/write-mail.ts';
import { removeEndedSecrets } from './secrets/old-secret-store.ts';
import { removeExpiredSessions } from './sessions/session-store.ts';
import { removeUnactivated } from './store.ts';

/** People who have not activated by then have to register again; there is no reason to store their email for longer. */
const UNACTIVATED_SECONDS = 30 * 24 * 3600;

export const accountTasks = (deps: MailTaskDeps & { db: Db }): Tasks => ({
  ...accountMails.tasks(deps, (request) => writeMail(deps.db, request, deps.publicUrl())),
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
