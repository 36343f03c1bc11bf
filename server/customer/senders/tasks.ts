import type { MailTaskDeps } from '../../ground/mail/index.ts';
import type { Tasks } from '../../ground/queue/index.ts';
import { codeMails, writeCode } from './code-mails.ts';
import type { SendersDeps } from './senders-deps.ts';
import { removeUnverified } from './store.ts';

const UNVERIFIED_DAYS = 30;

export const senderTasks = (deps: Pick<SendersDeps, 'db' | 'secretKey'> & MailTaskDeps): Tasks => ({
  ...codeMails.tasks(deps, (request) => writeCode(deps, request)),
  'senders.remove-unverified': {
    cron: '50 19 * * *',
    run: () => removeUnverified(deps.db, UNVERIFIED_DAYS),
  },
});
