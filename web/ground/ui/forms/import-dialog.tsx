import { Button, FileInput, Group } from '@mantine/core';
import { IconFileUpload } from '@tabler/icons-react';
import { type ReactNode, useId, useRef, useState } from 'react';
import { FailureAlert } from '../feedback/failure-alert.tsx';
import { Outcome } from '../feedback/outcome.tsx';
import { Dialog } from './dialog.tsx';
import { ANNOUNCED } from './form-fields.tsx';
import classes from './import-dialog.module.css';

interface Refusal {
  row: number;
  column: string;
  message: string;
}

interface ImportDialogProps {
  opened: boolean;
  onClose: () => void;
  /** Returns the result of the import, or throws why the file could not be read. */
  onImport: (file: File) => Promise<{ message: string; refused: number; refusals: Refusal[] }>;
  title: string;
  /** Describes the expected content of the file. */
  hint: string;
  labels: {
    file: string;
    choose: string;
    missing: string;
    submit: string;
    cancel: string;
    close: string;
    /** The rows that were refused; the list may be incomplete. */
    refusals: string;
    place: (refusal: Refusal) => string;
  };
  /** More fields, above the button. */
  children?: ReactNode;
}

type Result = Awaited<ReturnType<ImportDialogProps['onImport']>>;

/** Imports a file, and shows row by row what was refused. */
export const ImportDialog = ({
  opened,
  onClose,
  onImport,
  title,
  hint,
  labels,
  children,
}: ImportDialogProps) => {
  const [file, setFile] = useState<File | null>(null);
  const [fault, setFault] = useState('');
  const [failure, setFailure] = useState('');
  const [result, setResult] = useState<Result>();
  const [sending, setSending] = useState(false);
  const field = useRef<HTMLButtonElement>(null);
  const refusalsId = useId();

  const close = () => {
    if (sending) return;
    setFile(null);
    setFault('');
    setFailure('');
    setResult(undefined);
    onClose();
  };
  const submit = async () => {
    if (sending) return;
    if (!file) {
      setFault(labels.missing);
      field.current?.focus();
      return;
    }
    setSending(true);
    setFailure('');
    try {
      setResult(await onImport(file));
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error));
    } finally {
      setSending(false);
    }
  };

  return (
    <Dialog opened={opened} onClose={close} title={title} close={labels.close}>
      {result ? (
        <div className={classes.form}>
          <Outcome text={result.message} />
          {result.refusals.length > 0 && (
            <section aria-labelledby={refusalsId} className={classes.form}>
              <p id={refusalsId}>{labels.refusals}</p>
              {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long list is scrolled by keyboard too. */}
              <ul className={classes.refusals} tabIndex={0}>
                {result.refusals.map((refusal) => (
                  <li key={refusal.row}>
                    <span className={classes.row}>{labels.place(refusal)}</span>
                    {refusal.message}
                  </li>
                ))}
              </ul>
            </section>
          )}
          <Group justify="flex-end">
            <Button onClick={close}>{labels.close}</Button>
          </Group>
        </div>
      ) : (
        <form
          noValidate
          className={classes.form}
          aria-label={title}
          onSubmit={(event) => {
            event.preventDefault();
            void submit();
          }}
        >
          {failure && <FailureAlert text={failure} />}
          <p>{hint}</p>
          <FileInput
            ref={field}
            size="md"
            label={labels.file}
            data-autofocus
            placeholder={labels.choose}
            accept=".csv,text/csv"
            clearable
            clearButtonProps={{ 'aria-label': labels.cancel }}
            leftSection={<IconFileUpload size={18} aria-hidden="true" />}
            value={file}
            error={fault}
            errorProps={ANNOUNCED}
            onChange={(chosen) => {
              setFile(chosen);
              setFault('');
            }}
          />
          {children}
          <Group justify="flex-end">
            <Button variant="default" onClick={close} disabled={sending}>
              {labels.cancel}
            </Button>
            <Button type="submit" loading={sending}>
              {labels.submit}
            </Button>
          </Group>
        </form>
      )}
    </Dialog>
  );
};
