import { Link } from '@tanstack/react-router';
import { RichText } from '../../ground/i18n/rich-text.tsx';
import { t } from '../../ground/i18n/translate.ts';

/** Accepts the terms and the privacy policy. They open in another tab, so that nothing typed is lost by reading them. */
export const TermsLabel = () => (
  <RichText
    text={t('register.accept')}
    parts={{
      terms: (
        <Link to="/terms_condition" target="_blank">
          {t('footer.terms')}
        </Link>
      ),
      privacy: (
        <Link to="/privacy_policy" target="_blank">
          {t('footer.privacy')}
        </Link>
      ),
    }}
  />
);
