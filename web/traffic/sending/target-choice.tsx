import { IconFileSpreadsheet, IconMail, IconPhone } from '@tabler/icons-react';
import { useId } from 'react';
import { t } from '../../ground/i18n/translate.ts';
import classes from './channel-choice.module.css';
import type { Target } from './draft.ts';

interface TargetChoiceProps {
  email: boolean;
  value: Target;
  onChange: (target: Target) => void;
}

/** The choice between one recipient and a file. */
export const TargetChoice = ({ email, value, onChange }: TargetChoiceProps) => {
  const name = useId();
  const One = email ? IconMail : IconPhone;
  return (
    <fieldset className={classes.choice}>
      <legend>{t('send.target')}</legend>
      <div className={classes.ways}>
        <label className={classes.way}>
          <input type="radio" name={name} checked={value === 'phone'} onChange={() => onChange('phone')} />
          <One size={20} stroke={1.7} aria-hidden="true" />
          {email ? t('send.to_address') : t('send.to_phone')}
        </label>
        <label className={classes.way}>
          <input type="radio" name={name} checked={value === 'csv'} onChange={() => onChange('csv')} />
          <IconFileSpreadsheet size={20} stroke={1.7} aria-hidden="true" />
          {t('send.to_csv')}
        </label>
      </div>
    </fieldset>
  );
};
