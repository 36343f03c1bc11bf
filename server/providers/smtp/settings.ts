import { z } from 'zod';
import { section, url } from '../../ground/settings/index.ts';

/** Our own mails, such as the one that activates an account. */
export const mailerSection = section({
  shape: {
    SMTP_URL: url('smtp:', 'smtps:').optional(),
    MAIL_FROM: z.string().min(3).default('Posthorn <no-reply@localhost>'),
  },
  secrets: ['SMTP_URL'],
});
