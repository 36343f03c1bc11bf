import { IconFileSpreadsheet, IconUpload, IconX } from '@tabler/icons-react';
import { type DragEvent, type RefObject, useId, useState } from 'react';
import { formatBytes } from '../../../ground/i18n/format.ts';
import { t } from '../../../ground/i18n/translate.ts';
import controls from '../../../ground/ui/controls.module.css';
import { ANNOUNCED } from '../../../ground/ui/forms/form-fields.tsx';
import classes from './file-field.module.css';

interface FileFieldProps {
  ref: RefObject<HTMLInputElement | null>;
  value: File | undefined;
  error: string | undefined;
  onChange: (file: File | undefined) => void;
}

/** A file chosen by mouse or keyboard, or dropped. */
export const FileField = ({ ref, value, error, onChange }: FileFieldProps) => {
  const id = useId();
  const [over, setOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const [file] = event.dataTransfer.files;
    if (file) onChange(file);
  };
  return (
    <div>
      <div className={classes.label}>{t('send.csv.file')}</div>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping needs a mouse; the input inside also works by keyboard. */}
      <div
        className={classes.zone}
        data-over={over || undefined}
        data-bad={error !== undefined || undefined}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        <input
          ref={ref}
          type="file"
          accept=".csv"
          aria-label={t('send.csv.file')}
          aria-invalid={error !== undefined}
          aria-describedby={`${id}-chosen${error ? ` ${id}-error` : ''}`}
          onChange={({ currentTarget }) => {
            const [file] = currentTarget.files ?? [];
            if (file) onChange(file);
            // So that the same file can be chosen again after it was corrected.
            currentTarget.value = '';
          }}
        />
        {value ? (
          <IconFileSpreadsheet size={28} stroke={1.6} aria-hidden="true" />
        ) : (
          <IconUpload size={28} stroke={1.6} aria-hidden="true" />
        )}
        <span id={`${id}-chosen`} className={classes.text}>
          <strong>{value ? value.name : t('send.csv.choose')}</strong>
          <span>{value ? formatBytes(value.size) : t('send.csv.drop')}</span>
        </span>
        {value && (
          <button
            type="button"
            className={`${controls.icon} ${classes.remove}`}
            aria-label={t('send.csv.remove', { name: value.name })}
            title={t('send.csv.remove', { name: value.name })}
            onClick={() => {
              onChange(undefined);
              ref.current?.focus();
            }}
          >
            <IconX size={20} aria-hidden="true" />
          </button>
        )}
      </div>
      {error && (
        <p id={`${id}-error`} className={classes.error} {...ANNOUNCED}>
          {error}
        </p>
      )}
    </div>
  );
};
