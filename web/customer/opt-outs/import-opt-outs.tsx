import { NativeSelect } from '@mantine/core';
import { useState } from 'react';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import type { Imported } from '../../../contract/customer/opt-outs.ts';
import { CHANNELS } from '../../../contract/ground/channels.ts';
import { queryClient } from '../../ground/api/query-client.ts';
import { uploadList } from '../../ground/api/upload-list.ts';
import { importLabels } from '../../ground/i18n/import-labels.ts';
import { t } from '../../ground/i18n/translate.ts';
import { ImportDialog } from '../../ground/ui/forms/import-dialog.tsx';

interface ImportOptOutsProps {
  accountId: AccountId;
  opened: boolean;
  onClose: () => void;
}

export const ImportOptOuts = ({ accountId, opened, onClose }: ImportOptOutsProps) => {
  const [channel, setChannel] = useState('');
  const take = async (file: File): Promise<Imported> => {
    const imported = await uploadList({
      path: '/account/:accountId/optOuts/import',
      params: { accountId },
      file,
      fields: channel ? { channel } : {},
    });
    void queryClient.invalidateQueries();
    return imported;
  };
  return (
    <ImportDialog
      opened={opened}
      onClose={onClose}
      onImport={take}
      title={t('opt_outs.import_title')}
      hint={t('opt_outs.import_hint')}
      labels={importLabels()}
    >
      <NativeSelect
        size="md"
        label={t('opt_outs.import_channel')}
        data={[
          { value: '', label: t('opt_outs.import_channel_auto') },
          ...CHANNELS.map((value) => ({ value, label: t(`send.channel.${value}`) })),
        ]}
        value={channel}
        onChange={({ currentTarget }) => setChannel(currentTarget.value)}
      />
    </ImportDialog>
  );
};
