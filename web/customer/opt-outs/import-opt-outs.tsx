import { NativeSelect } from '@mantine/core';
import { useState } from 'react';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import { CHANNELS } from '../../../contract/ground/channels.ts';
import { t } from '../../ground/i18n/translate.ts';
import { ImportDialog } from '../../ground/ui/forms/import-dialog.tsx';

interface ImportOptOutsProps {
  accountId: AccountId;
  opened: boolean;
  onClose: () => void;
}

export const ImportOptOuts = ({ accountId, ...dialog }: ImportOptOutsProps) => {
  const [channel, setChannel] = useState('');
  return (
    <ImportDialog
      {...dialog}
      upload={{
        path: '/account/:accountId/optOuts/import',
        params: { accountId },
        fields: channel ? { channel } : {},
      }}
      title={t('opt_outs.import_title')}
      hint={t('opt_outs.import_hint')}
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
