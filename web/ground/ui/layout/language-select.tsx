import { IconLanguage } from '@tabler/icons-react';
import type { Language } from '../../../../contract/ground/constants.ts';
import { activeLanguage, changeLanguage, LANGUAGE_TAGS } from '../../i18n/language.ts';
import { t } from '../../i18n/translate.ts';
import classes from '../controls.module.css';

export interface LanguageOption {
  code: Language;
  name: string;
}

export const LanguageSelect = ({ languages }: { languages: LanguageOption[] }) => (
  <span className={classes.select}>
    <IconLanguage size={20} aria-hidden="true" />
    <select
      aria-label={t('language.label')}
      value={activeLanguage()}
      onChange={(event) => void changeLanguage(event.currentTarget.value as Language)}
    >
      {languages.map(({ code, name }) => (
        <option key={code} value={code} lang={LANGUAGE_TAGS[code].html}>
          {name}
        </option>
      ))}
    </select>
  </span>
);
