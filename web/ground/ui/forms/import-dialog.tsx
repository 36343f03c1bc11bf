import { Button, FileInput, Group } from '@mantine/core';
import { IconFileUpload } from '@tabler/icons-react';
import { type ReactNode, useId, useRef, useState } from 'react';
import type { Imported } from '../../../../contract/customer/opt-outs.ts';
import { queryClient } from '../../api/query-client.ts';
import { uploadList } from '../../api/upload-list.ts';
import { t } from '../../i18n/translate.ts';
import { FailureAlert } from '../feedback/failure-alert.tsx';
import { Outcome } from '../feedback/outcome.tsx';
import { Dialog } from './dialog.tsx';
import { ANNOUNCED } from './form-fields.tsx';
import classes from './import-dialog.module.css';

interface ImportDialogProps extends Omit<ImportFormProps, 'onSending' | 'onImported'> {
  opened: boolean;
}

interface ImportFormProps {
  onClose: () => void;
  onSending: (sending: boolean) => void;
  onImported: (imported: Imported) => void;
  /** Where the file goes. */
  upload: Omit<Parameters<typeof uploadList>[0], 'file'>;
  title: string;
  /** Describes the expected content of the file. */
  hint: string;
  /** More fields, above the button. */
  children?: ReactNode;
}

const ImportForm = ({ onClose, onSending, onImported, upload, title, hint, children }: ImportFormProps) => {
  const [file, setFile] = useState<File | null>(null);
  const [fault, setFault] = useState('');
  const [failure, setFailure] = useState('');
  const [sending, setSending] = useState(false);
  const field = useRef<HTMLButtonElement>(null);

  const tell = (underWay: boolean) => {
    setSending(underWay);
    onSending(underWay);
  };
  const submit = async () => {
    if (sending) return;
    if (!file) {
      setFault(t('lists.file_missing'));
      field.current?.focus();
      return;
    }
    tell(true);
    setFailure('');
    try {
      onImported(await uploadList({ ...upload, file }));
      void queryClient.invalidateQueries();
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error));
    } finally {
      tell(false);
    }
  };

  return (
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
        label={t('lists.file')}
        data-autofocus
        placeholder={t('lists.choose_file')}
        accept=".csv,text/csv"
        clearable
        clearButtonProps={{ 'aria-label': t('layout.cancel') }}
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
        <Button variant="default" onClick={onClose} disabled={sending}>
          {t('layout.cancel')}
        </Button>
        <Button type="submit" loading={sending}>
          {t('lists.import_button')}
        </Button>
      </Group>
    </form>
  );
};

/** What was taken, and row by row what was refused; the list may be incomplete. */
const ImportResult = ({ imported, onClose }: { imported: Imported; onClose: () => void }) => {
  const refusalsId = useId();
  return (
    <div className={classes.form}>
      <Outcome text={imported.message} />
      {imported.refusals.length > 0 && (
        <section aria-labelledby={refusalsId} className={classes.form}>
          <p id={refusalsId}>{t('lists.refusals')}</p>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long list is scrolled by keyboard too. */}
          <ul className={classes.refusals} tabIndex={0}>
            {imported.refusals.map(({ row, column, message }) => (
              <li key={row}>
                <span className={classes.row}>{t('lists.place', { row, column })}</span>
                {message}
              </li>
            ))}
          </ul>
        </section>
      )}
      <Group justify="flex-end">
        <Button onClick={onClose}>{t('layout.close')}</Button>
      </Group>
    </div>
  );
};

/** Imports a list from a CSV file, and shows what was refused of it. */
export const ImportDialog = ({ opened, onClose, ...form }: ImportDialogProps) => {
  const [imported, setImported] = useState<Imported>();
  const [sending, setSending] = useState(false);
  const close = () => {
    if (sending) return;
    setImported(undefined);
    onClose();
  };
  return (
    <Dialog opened={opened} onClose={close} title={form.title} close={t('layout.close')}>
      {imported ? (
        <ImportResult imported={imported} onClose={close} />
      ) : (
        <ImportForm {...form} onClose={close} onSending={setSending} onImported={setImported} />
      )}
    </Dialog>
  );
};
