import { t } from '../ground/i18n/translate.ts';
import controls from '../ground/ui/controls.module.css';
import classes from '../ground/ui/feedback/failure-page.module.css';
import { BrandMark } from '../ground/ui/layout/brand-mark.tsx';

/** A page that could not be opened, such as one whose code was replaced by a newer release. */
export const Failure = () => (
  <div className={classes.page}>
    <div role="alert">
      <BrandMark size={48} className={classes.mark} />
      <h1>{t('failure.title')}</h1>
      <p>{t('failure.text')}</p>
    </div>
    <button type="button" className={controls.primary} onClick={() => window.location.reload()}>
      {t('failure.reload')}
    </button>
  </div>
);

/** The same where the layout could not be loaded either. */
export const LayoutFailure = () => (
  <main>
    <Failure />
  </main>
);
