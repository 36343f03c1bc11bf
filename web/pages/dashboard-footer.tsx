import { Link } from '@tanstack/react-router';
import { PRODUCT_NAME } from '../../contract/ground/constants.ts';
import { t } from '../ground/i18n/translate.ts';
import classes from './dashboard-footer.module.css';

export const DashboardFooter = () => (
  <footer className={classes.footer}>
    <span>{t('footer.copyright', { year: new Date().getFullYear(), product: PRODUCT_NAME })}</span>
    <span className={classes.links}>
      <Link to="/terms_condition">{t('footer.terms')}</Link>
      <Link to="/privacy_policy">{t('footer.privacy')}</Link>
    </span>
  </footer>
);
