import { IconBook2, IconBrandGit, IconMail } from '@tabler/icons-react';
import { t } from '../../ground/i18n/translate.ts';
import { startup } from '../../traffic/startup/startup.ts';
import classes from './home.module.css';

/** Every installation has its own operator; this page names what the operator has set. */
export const HomeContact = () => {
  const { contactEmail, sourceUrl } = startup();
  return (
    <section id="contact" className={`${classes.inner} ${classes.about}`} aria-labelledby="contact-title">
      <h2 id="contact-title">{t('home.contact.title')}</h2>
      <div>
        <p>{contactEmail ? t('home.contact.text') : t('home.contact.text_without_email')}</p>
        <ul className={classes.contacts}>
          {contactEmail && (
            <li>
              <IconMail size={20} aria-hidden="true" />
              <a href={`mailto:${contactEmail}`}>{contactEmail}</a>
            </li>
          )}
          {sourceUrl && (
            <li>
              <IconBrandGit size={20} aria-hidden="true" />
              <a href={sourceUrl}>{t('home.contact.source')}</a>
            </li>
          )}
          <li>
            <IconBook2 size={20} aria-hidden="true" />
            <a href="/api/docs">{t('home.contact.api')}</a>
          </li>
        </ul>
      </div>
    </section>
  );
};
