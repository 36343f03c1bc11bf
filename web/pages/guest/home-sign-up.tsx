import { useNavigate } from '@tanstack/react-router';
import type { SubmitEvent } from 'react';
import { EMAIL_MAX_LENGTH } from '../../../contract/ground/constants.ts';
import { t } from '../../ground/i18n/translate.ts';
import controls from '../../ground/ui/controls.module.css';
import { BrandMark } from '../../ground/ui/layout/brand-mark.tsx';
import classes from './home.module.css';

/** The typed address is passed to the registration form, which checks it. */
export const HomeSignUp = () => {
  const navigate = useNavigate();
  const signUp = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const email = String(new FormData(event.currentTarget).get('email') ?? '').trim();
    void navigate({ to: '/register', state: { email } });
  };
  return (
    <section className={`${classes.inner} ${classes.signUp}`} aria-labelledby="sign-up-title">
      <BrandMark size={260} className={classes.watermark} />
      <h2 id="sign-up-title">{t('home.sign_up.title')}</h2>
      <p>{t('home.sign_up.text')}</p>
      <form noValidate onSubmit={signUp}>
        <label htmlFor="sign-up-email" className="visually-hidden">
          {t('home.sign_up.email')}
        </label>
        <input
          id="sign-up-email"
          name="email"
          type="email"
          autoComplete="email"
          maxLength={EMAIL_MAX_LENGTH}
          placeholder={t('home.sign_up.email')}
        />
        <button type="submit" className={`${controls.primary} ${controls.large}`}>
          {t('home.sign_up.button')}
        </button>
      </form>
    </section>
  );
};
