import type { Tasks } from '../../ground/queue/index.ts';
import { codeRequest, SEND_CODE, type SendCodeDeps, sendCode } from './send-code.ts';
import { removeUnverified } from './store.ts';

const UNVERIFIED_DAYS = 30;

export const senderTasks = (deps: SendCodeDeps): Tasks => ({
  [SEND_CODE]: {
    run: (data) => sendCode(deps, codeRequest.parse(data)),
    retryLimit: 8,
    retryDelaySeconds: 5,
    concurrency: 2,
    onGiveUp: async (data) => {
      const { senderId, mailId } = codeRequest.parse(data);
      deps.log.warn({ senderId, mailId }, 'mail given up');
    },
  },
  'senders.remove-unverified': {
    cron: '50 19 * * *',
    run: () => removeUnverified(deps.db, UNVERIFIED_DAYS),
  },
});
