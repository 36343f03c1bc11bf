import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import { SANDBOX_CARDS } from '../../contract/customer/sandbox-cards.ts';
import { openHttpClient } from '../ground/http-client/index.ts';
import { openLimits } from '../ground/limits/index.ts';
import { openQueue } from '../ground/queue/index.ts';
import { openThreadPool } from '../ground/worker-threads/index.ts';
import { httpReceivers } from '../providers/http-receivers/index.ts';
import { mailboxFilesMailer } from '../providers/mailbox-files/index.ts';
import { sandboxCards } from '../providers/sandbox-cards/index.ts';
import { smtpMailer } from '../providers/smtp/index.ts';
import { stripeProcessor } from '../providers/stripe/index.ts';
import { openWebhooks } from '../traffic/webhooks/index.ts';
import { DRAIN_MS, type Setup } from './setup.ts';

/** Opens what several rooms share: the mailer, limits, the queue, customers' webhooks, the card processor. */
export const openGround = async ({ config, installation, ending }: Setup) => {
  const { database, key, log, url } = installation;
  const { db, pool } = database;
  const mailboxFolder = join(config.DATA_DIR, 'mailbox');
  const mailer = config.SMTP_URL
    ? smtpMailer({ url: config.SMTP_URL, from: config.MAIL_FROM })
    : mailboxFilesMailer({ folder: mailboxFolder, from: config.MAIL_FROM });
  ending.defer(mailer.close);
  // From the key, so that a link to the mailbox opens it after the next start too, and in every process.
  const mailboxToken =
    config.MAILBOX_TOKEN ?? createHmac('sha256', key).update('mailbox').digest('base64url');
  const limits = openLimits({ pool, factor: config.LIMITS_FACTOR });
  const queue = await openQueue({
    url,
    worker: config.roles.includes('worker'),
    onError: (error) => log.error({ err: error }, 'queue'),
  });
  ending.defer(() => queue.stop(DRAIN_MS));
  const receivers = httpReceivers({ allowPrivate: config.WEBHOOKS_ALLOW_PRIVATE, openHttpClient });
  ending.defer(receivers.close);
  const { close: closeNotices, ...publisher } = openWebhooks({ db, url, log });
  ending.defer(closeNotices);
  const workshop = openThreadPool();
  ending.defer(workshop.close);
  const processor = stripeProcessor(config) ?? sandboxCards({ key, cards: SANDBOX_CARDS });
  return {
    db,
    log,
    key,
    mailer,
    mailboxFolder,
    mailboxToken,
    limits,
    queue,
    receivers,
    ...publisher,
    processor,
    workshop,
  };
};

export type Ground = Awaited<ReturnType<typeof openGround>>;
