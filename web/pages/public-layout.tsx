import { Link, Outlet } from '@tanstack/react-router';
import { PRODUCT_NAME } from '../../contract/constants.ts';
import { useToken } from '../api/session.ts';
import { t } from '../i18n/translate.ts';
import { startup } from '../startup/startup.ts';
import { BrandMark } from '../ui/brand-mark.tsx';
import { ColourSchemeToggle } from '../ui/colour-scheme-toggle.tsx';
import controls from '../ui/controls.module.css';
import { LanguageSelect } from '../ui/language-select.tsx';
import { CONTENT_ID, SkipLink } from '../ui/skip-link.tsx';
import { PublicFooter } from './public-footer.tsx';
import classes from './public-layout.module.css';

const AccountLinks = () =>
  useToken() ? (
    <Link to="/dashboard/profile" className={controls.primary}>
      {t('public.dashboard')}
    </Link>
  ) : (
    <>
      <Link to="/login" className={controls.quiet}>
        {t('public.sign_in')}
      </Link>
      <Link to="/register" className={controls.primary}>
        {t('public.sign_up')}
      </Link>
    </>
  );

export const PublicLayout = () => (
  <>
    <SkipLink label={t('layout.skip')} />
    <header className={classes.header}>
      <nav className={classes.bar} aria-label={t('public.navigation')}>
        <Link to="/" className={classes.brand} aria-label={PRODUCT_NAME}>
          <BrandMark size={34} className={classes.mark} />
          <span className={classes.word}>{PRODUCT_NAME}</span>
        </Link>
        <div className={classes.tools}>
          <LanguageSelect languages={startup().languages} />
          <ColourSchemeToggle toDark={t('layout.to_dark')} toLight={t('layout.to_light')} />
        </div>
        <div className={classes.account}>
          <AccountLinks />
        </div>
      </nav>
    </header>
    <main id={CONTENT_ID} tabIndex={-1} className={classes.main}>
      <Outlet />
    </main>
    <PublicFooter />
  </>
);
