import { Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { RefObject } from 'react';
import { t } from '../../../ground/i18n/translate.ts';
import { ANNOUNCED } from '../../../ground/ui/forms/form-fields.tsx';
import { readCsvHeader } from './csv-header.ts';
import classes from './template-field.module.css';

interface TemplateFieldProps {
  ref: RefObject<HTMLTextAreaElement | null>;
  file: File | undefined;
  whatsapp: boolean;
  value: string;
  error: string | undefined;
  onChange: (template: string) => void;
}

const useColumns = (file: File | undefined): string[] => {
  const { data } = useQuery({
    queryKey: ['csv-header', file?.name, file?.size, file?.lastModified],
    queryFn: () => (file ? readCsvHeader(file) : []),
    gcTime: 0,
  });
  return file ? (data ?? []) : [];
};

/** One message for all rows, with buttons that insert the columns of the file. */
export const TemplateField = ({ ref, file, whatsapp, value, error, onChange }: TemplateFieldProps) => {
  const columns = useColumns(file);
  const insert = (name: string) => {
    const field = ref.current;
    const start = field?.selectionStart ?? value.length;
    const end = field?.selectionEnd ?? value.length;
    const text = `{{${name}}}`;
    onChange(value.slice(0, start) + text + value.slice(end));
    // After the new text is rendered, the cursor goes behind it.
    requestAnimationFrame(() => {
      field?.focus();
      field?.setSelectionRange(start + text.length, start + text.length);
    });
  };
  return (
    <div>
      <Textarea
        ref={ref}
        size="md"
        label={t('send.csv.template')}
        description={
          whatsapp ? `${t('send.csv.template_hint')} ${t('send.whatsapp_hint')}` : t('send.csv.template_hint')
        }
        autosize
        minRows={4}
        maxRows={16}
        value={value}
        error={error}
        errorProps={ANNOUNCED}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
      {columns.length > 0 && (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset can't be laid out in one line with its label.
        <div className={classes.columns} role="group" aria-label={t('send.csv.columns')}>
          <span aria-hidden="true">{t('send.csv.columns')}</span>
          {columns.map((name) => (
            <button
              key={name}
              type="button"
              className={classes.column}
              aria-label={t('send.csv.insert', { name })}
              onClick={() => insert(name)}
            >
              {`{{${name}}}`}
            </button>
          ))}
        </div>
      )}
    </div>
  );
};
