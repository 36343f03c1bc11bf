import { IconBook2, IconBrandGit, IconMail } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { PRODUCT_NAME } from '../../../contract/ground/constants.ts';
import { t } from '../../ground/i18n/translate.ts';
import controls from '../../ground/ui/controls.module.css';
import { startup } from '../../traffic/startup/startup.ts';
import classes from './public-footer.module.css';

/** Only icons that lead somewhere are shown. */
const SocialIcons = () => {
  const { contactEmail, sourceUrl } = startup();
  return (
    <div className={classes.social}>
      {sourceUrl && (
        <a
          href={sourceUrl}
          className={controls.icon}
          aria-label={t('footer.source')}
          title={t('footer.source')}
        >
          <IconBrandGit size={22} aria-hidden="true" />
        </a>
      )}
      {contactEmail && (
        <a
          href={`mailto:${contactEmail}`}
          className={controls.icon}
          aria-label={t('footer.email')}
          title={t('footer.email')}
        >
          <IconMail size={22} aria-hidden="true" />
        </a>
      )}
      <a href="/api/docs" className={controls.icon} aria-label={t('footer.api')} title={t('footer.api')}>
        <IconBook2 size={22} aria-hidden="true" />
      </a>
    </div>
  );
};

export const PublicFooter = () => (
  <footer className={classes.footer}>
    <div className={classes.row}>
      <nav className={classes.links} aria-label={t('footer.navigation')}>
        <Link to="/" hash="about">
          {t('footer.about')}
        </Link>
        <Link to="/" hash="contact">
          {t('footer.contact')}
        </Link>
        <Link to="/terms_condition">{t('footer.terms')}</Link>
        <Link to="/privacy_policy">{t('footer.privacy')}</Link>
      </nav>
      <SocialIcons />
    </div>
    <p className={classes.copyright}>
      {t('footer.copyright', { year: new Date().getFullYear(), product: PRODUCT_NAME })}
    </p>
  </footer>
);
