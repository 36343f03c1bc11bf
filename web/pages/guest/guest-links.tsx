import { Link } from '@tanstack/react-router';
import { t } from '../../ground/i18n/translate.ts';

export const GuestLinks = () => (
  <>
    <Link to="/register">{t('guest.to_register')}</Link>
    <Link to="/login">{t('guest.to_login')}</Link>
  </>
);
