import { FLAGS } from './flags.tsx';
import { activeLanguage, changeLanguage, LANGUAGE_TAGS } from './language.ts';
import classes from './language-flags.module.css';
import type { LanguageOption } from './language-select.tsx';
import { t } from './translate.ts';

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
          onClick={() => changeLanguage(code)}
        >
          <Flag />
          {name}
        </button>
      );
    })}
  </fieldset>
);
