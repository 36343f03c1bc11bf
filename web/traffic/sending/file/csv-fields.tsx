import type { RefObject } from 'react';
import type { SmsCountry } from '../../../../contract/traffic/startup.ts';
import { t } from '../../../ground/i18n/translate.ts';
import { TextField } from '../../../ground/ui/forms/form-fields.tsx';
import { CountrySelect } from '../country-select.tsx';
import type { SendFieldsProps } from '../send-fields.ts';
import classes from '../send-form.module.css';
import { fileFault } from './file-fault.ts';
import { FileField } from './file-field.tsx';
import { TemplateField } from './template-field.tsx';

interface CsvFieldsProps extends SendFieldsProps {
  countries: SmsCountry[];
}

/** The fields for a file of recipients, and for what all of its rows share. */
export const CsvFields = ({ draft, faults, fields, change, countries }: CsvFieldsProps) => {
  const { way, country, subject, file, template } = draft;
  const email = way.channel === 'email';
  // An invalid file is reported when it is chosen; a missing one only when the form is sent.
  const faulty = faults.file ?? (file && fileFault(file));
  return (
    <>
      <FileField
        ref={fields.file as RefObject<HTMLInputElement | null>}
        value={file}
        error={faulty}
        onChange={(chosen) => change({ file: chosen })}
      />
      {!email && (
        <CountrySelect
          countries={countries}
          value={country}
          onChange={(chosen) => change({ country: chosen })}
        />
      )}
      {email && (
        <TextField
          label={t('send.csv.subject')}
          value={subject}
          maxLength={500}
          autoComplete="off"
          onChange={({ currentTarget }) => change({ subject: currentTarget.value })}
        />
      )}
      <TemplateField
        ref={fields.template as RefObject<HTMLTextAreaElement | null>}
        file={faulty === undefined ? file : undefined}
        whatsapp={way.channel === 'whatsapp'}
        value={template}
        error={faults.template}
        onChange={(typed) => change({ template: typed })}
      />
      <p className={classes.hint}>{t('send.csv.free_check')}</p>
    </>
  );
};
