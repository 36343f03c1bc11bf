import { Link } from '@tanstack/react-router';
import { t } from '../../ground/i18n/translate.ts';
import controls from '../../ground/ui/controls.module.css';
import { BrandMark } from '../../ground/ui/layout/brand-mark.tsx';
import classes from './not-found.module.css';

export const NotFound = () => (
  <div className={classes.page}>
    <BrandMark size={88} className={classes.mark} />
    <h1>{t('not_found.title')}</h1>
    <p>{t('not_found.text')}</p>
    <Link to="/" className={controls.primary}>
      {t('not_found.home')}
    </Link>
  </div>
);
