import { Link } from '@tanstack/react-router';
import type { Answer } from '../../ground/api/call.ts';
import { formatDateTime } from '../../ground/i18n/format.ts';
import { t } from '../../ground/i18n/translate.ts';
import classes from './mail-list.module.css';

interface MailListProps {
  mails: Answer<'GET /mailbox'>['mails'];
}

export const MailList = ({ mails }: MailListProps) => {
  if (mails.length === 0) return <p className={classes.empty}>{t('mailbox.empty')}</p>;
  return (
    <ul className={classes.list}>
      {mails.map(({ _id, to, subject, createdAt }) => (
        <li key={_id}>
          <Link to="/mailbox" search={{ mail: _id }} className={classes.mail}>
            <span className={classes.subject}>{subject}</span>
            <span className={classes.to}>{to}</span>
            <time dateTime={createdAt}>{formatDateTime(createdAt)}</time>
          </Link>
        </li>
      ))}
    </ul>
  );
};
