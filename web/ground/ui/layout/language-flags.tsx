import { activeLanguage, changeLanguage, LANGUAGE_TAGS } from '../../i18n/language.ts';
import { t } from '../../i18n/translate.ts';
import { FLAGS } from './flags.tsx';
import classes from './language-flags.module.css';
import type { LanguageOption } from './language-select.tsx';

export const LanguageFlags = ({ languages }: { languages: LanguageOption[] }) => (
  <fieldset className={classes.flags}>
    <legend className="visually-hidden">{t('language.label')}</legend>
    {languages.map(({ code, name }) => {
      const Flag = FLAGS[code];
      return (
        <button
          key={code}
          type="button"
          className={classes.flag}
          lang={LANGUAGE_TAGS[code].html}
          aria-pressed={code === activeLanguage()}
          onClick={() => void changeLanguage(code)}
        >
          <Flag />
          {name}
        </button>
      );
    })}
  </fieldset>
);
