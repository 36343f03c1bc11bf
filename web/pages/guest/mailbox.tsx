import { IconArrowLeft, IconRefresh } from '@tabler/icons-react';
import { getRouteApi, Link, useRouter } from '@tanstack/react-router';
import { t } from '../../ground/i18n/translate.ts';
import controls from '../../ground/ui/controls.module.css';
import { MailList } from '../../office/mailbox/mail-list.tsx';
import { MailReader } from '../../office/mailbox/mail-reader.tsx';
import classes from './mailbox.module.css';

const route = getRouteApi('/public/mailbox');

export const Mailbox = () => {
  const router = useRouter();
  const found = route.useLoaderData();
  if (!found)
    return (
      <div className={classes.page}>
        <h1>{t('mailbox.title')}</h1>
        <p>{t('mailbox.locked')}</p>
      </div>
    );
  const { mails, opened } = found;
  return (
    <div className={classes.page}>
      <div className={classes.head}>
        <div>
          <h1>{t('mailbox.title')}</h1>
          <p>{t('mailbox.intro')}</p>
        </div>
        <button
          type="button"
          className={`${controls.quiet} ${classes.refresh}`}
          onClick={() => void router.invalidate()}
        >
          <IconRefresh size={18} aria-hidden="true" />
          {t('mailbox.refresh')}
        </button>
      </div>
      <div className={classes.columns} data-reading={opened !== undefined}>
        <div className={classes.list}>
          <MailList mails={mails} />
        </div>
        {opened ? (
          <div className={classes.opened}>
            <Link to="/mailbox" className={`${controls.quiet} ${classes.back}`}>
              <IconArrowLeft size={18} aria-hidden="true" />
              {t('mailbox.back')}
            </Link>
            <MailReader key={opened._id} mail={opened} />
          </div>
        ) : (
          mails.length > 0 && <p className={classes.hint}>{t('mailbox.choose')}</p>
        )}
      </div>
    </div>
  );
};
