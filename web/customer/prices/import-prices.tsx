import { Button, FileInput, Group } from '@mantine/core';
import { IconFileUpload } from '@tabler/icons-react';
import { useState } from 'react';
import { call } from '../../ground/api/call.ts';
import { callFailure } from '../../ground/api/call-failure.ts';
import { queryClient } from '../../ground/api/query-client.ts';
import { formatCount } from '../../ground/i18n/format.ts';
import { t } from '../../ground/i18n/translate.ts';
import { FailureAlert } from '../../ground/ui/feedback/failure-alert.tsx';
import { toastSuccess } from '../../ground/ui/feedback/toast.ts';
import { Dialog } from '../../ground/ui/forms/dialog.tsx';
import classes from '../../ground/ui/forms/form-fields.module.css';
import { PriceChangeTable } from './price-changes.tsx';
import type { ImportedPrices } from './prices-query.ts';

/** Looks at a file of prices, shows what it changes, and sets them once that is confirmed. */
export const ImportPrices = ({ opened, onClose }: { opened: boolean; onClose: () => void }) => {
  const [csv, setCsv] = useState('');
  const [file, setFile] = useState<File | null>(null);
  const [changes, setChanges] = useState<ImportedPrices>();
  const [failure, setFailure] = useState('');
  const [working, setWorking] = useState(false);
  const close = () => {
    if (working) return;
    setFile(null);
    setChanges(undefined);
    setFailure('');
    onClose();
  };
  const ask = async (text: string, preview: boolean) => {
    setWorking(true);
    setFailure('');
    try {
      const answer = await call('POST /admin/prices/import', { body: { csv: text, preview } });
      setChanges(answer);
      if (!answer.done) return;
      toastSuccess(t('prices.imported', { count: formatCount(answer.begins.length) }));
      setFile(null);
      setChanges(undefined);
      onClose();
      await queryClient.invalidateQueries({ queryKey: ['prices'] });
    } catch (error) {
      setChanges(undefined);
      setFailure(callFailure(error).message);
    } finally {
      setWorking(false);
    }
  };
  const choose = async (chosen: File | null) => {
    setFile(chosen);
    setChanges(undefined);
    if (!chosen) return;
    const text = await chosen.text();
    setCsv(text);
    await ask(text, true);
  };
  const ready = changes && changes.refusals.length === 0 && changes.begins.length > 0;
  return (
    <Dialog opened={opened} onClose={close} title={t('prices.import')} close={t('layout.close')}>
      <div className={classes.form}>
        {failure && <FailureAlert text={failure} />}
        <p>{t('prices.import_hint')}</p>
        <FileInput
          label={t('lists.file')}
          placeholder={t('lists.choose_file')}
          accept=".csv,text/csv"
          data-autofocus
          leftSection={<IconFileUpload size={18} aria-hidden="true" />}
          value={file}
          onChange={(chosen) => void choose(chosen)}
        />
        {changes && <PriceChangeTable changes={changes} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={close} disabled={working}>
            {t('layout.cancel')}
          </Button>
          <Button disabled={!ready} loading={working} onClick={() => void ask(csv, false)}>
            {t('prices.apply')}
          </Button>
        </Group>
      </div>
    </Dialog>
  );
};
