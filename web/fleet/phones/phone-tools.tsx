import { Button } from '@mantine/core';
import { IconPlus, IconRefresh } from '@tabler/icons-react';
import { memo, useState } from 'react';
import { useMay } from '../../ground/api/use-may.ts';
import { t } from '../../ground/i18n/translate.ts';
import { toastSuccess } from '../../ground/ui/feedback/toast.ts';
import list from '../../ground/ui/list.module.css';
import { AddPhone } from './add-phone.tsx';

interface PhoneToolsProps {
  refetch: () => Promise<{ isSuccess: boolean }>;
  fetching: boolean;
}

/** Reads the table again, and adds a phone. Memoised: another search leaves the buttons as they are. */
export const PhoneTools = memo(({ refetch, fetching }: PhoneToolsProps) => {
  const may = useMay();
  const [adding, setAdding] = useState(false);
  const refresh = async () => {
    const { isSuccess } = await refetch();
    if (isSuccess) toastSuccess(t('phones.loaded'));
  };
  return (
    <div className={list.tools}>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconRefresh size={16} aria-hidden="true" />}
        loading={fetching}
        onClick={() => void refresh()}
      >
        {t('phones.refresh')}
      </Button>
      {may('POST /phoneNumberInventory') && (
        <Button
          size="xs"
          leftSection={<IconPlus size={16} aria-hidden="true" />}
          onClick={() => setAdding(true)}
        >
          {t('phones.add_button')}
        </Button>
      )}
      <AddPhone opened={adding} onClose={() => setAdding(false)} />
    </div>
  );
});
