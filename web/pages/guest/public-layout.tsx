import { Link, Outlet } from '@tanstack/react-router';
import { PRODUCT_NAME } from '../../../contract/ground/constants.ts';
import { useToken } from '../../ground/api/session.ts';
import { t } from '../../ground/i18n/translate.ts';
import controls from '../../ground/ui/controls.module.css';
import { BrandMark } from '../../ground/ui/layout/brand-mark.tsx';
import { ColourSchemeToggle } from '../../ground/ui/layout/colour-scheme-toggle.tsx';
import { LanguageSelect } from '../../ground/ui/layout/language-select.tsx';
import { CONTENT_ID, SkipLink } from '../../ground/ui/layout/skip-link.tsx';
import { startup } from '../../traffic/startup/startup.ts';
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
