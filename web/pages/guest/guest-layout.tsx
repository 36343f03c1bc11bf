import { Link, Outlet } from '@tanstack/react-router';
import { PRODUCT_NAME } from '../../../contract/ground/constants.ts';
import { t } from '../../ground/i18n/translate.ts';
import { BrandMark } from '../../ground/ui/layout/brand-mark.tsx';
import { ColourSchemeToggle } from '../../ground/ui/layout/colour-scheme-toggle.tsx';
import { LanguageFlags } from '../../ground/ui/layout/language-flags.tsx';
import { CONTENT_ID, SkipLink } from '../../ground/ui/layout/skip-link.tsx';
import { startup } from '../../traffic/startup/startup.ts';
import '../../ground/ui/mantine-forms.css';
import classes from './guest-layout.module.css';

export const GuestLayout = () => (
  <div className={classes.layout}>
    <SkipLink label={t('layout.skip')} />
    <header className={classes.header}>
      <Link to="/" className={classes.brand}>
        <BrandMark size={34} className={classes.mark} />
        {PRODUCT_NAME}
      </Link>
      <ColourSchemeToggle toDark={t('layout.to_dark')} toLight={t('layout.to_light')} />
    </header>
    <main id={CONTENT_ID} tabIndex={-1} className={classes.main}>
      <Outlet />
    </main>
    <footer className={classes.footer}>
      <LanguageFlags languages={startup().languages} />
    </footer>
  </div>
);
