import { Link } from '@tanstack/react-router';
import { t } from '../../ground/i18n/translate.ts';
import { startup } from '../../traffic/startup/startup.ts';

/** While no mail server is set, mails stay on the operator's machine and are read there. */
export const MailboxLink = () => startup().mailbox && <Link to="/mailbox">{t('mailbox.open')}</Link>;
