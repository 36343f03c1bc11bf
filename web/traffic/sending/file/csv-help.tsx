import { IconFileDownload } from '@tabler/icons-react';
import type { Channel } from '../../../../contract/ground/channels.ts';
import { activeLanguage } from '../../../ground/i18n/language.ts';
import { t } from '../../../ground/i18n/translate.ts';
import classes from './csv-help.module.css';

/** Shown literally, not filled in. */
const EXAMPLE = '{{name}}';

/** Explains the format of a file, with a sample to download. */
export const CsvHelp = ({ channel }: { channel: Channel }) => {
  const email = channel === 'email';
  return (
    <section className={classes.help} aria-label={t('send.csv.help')}>
      <h3>{t('send.csv.help')}</h3>
      <ul>
        <li>{email ? t('send.csv.help_email') : t('send.csv.help_phone')}</li>
        <li>{t('send.csv.help_message')}</li>
        {email && <li>{t('send.csv.help_html')}</li>}
        <li>{t('send.csv.help_other', { example: EXAMPLE })}</li>
        <li>{t('send.csv.help_limits')}</li>
      </ul>
      <a href={`/samples/${channel}.${activeLanguage()}.csv`} download={`sample-${channel}.csv`}>
        <IconFileDownload size={18} aria-hidden="true" />
        {t('send.csv.sample')}
      </a>
    </section>
  );
};
