import { Button } from '@mantine/core';
import { IconFileDownload } from '@tabler/icons-react';
import { useState } from 'react';
import type { AccountId } from '../../contract/accounts.ts';
import { download } from '../api/download.ts';
import { t } from '../i18n/translate.ts';
import { toastFailure } from '../ui/toast.ts';

export const StatementButton = ({ accountId, date }: { accountId: AccountId; date: string }) => {
  const [loading, setLoading] = useState(false);
  const save = async () => {
    setLoading(true);
    try {
      await download(
        '/account/:accountId/statement.pdf',
        { params: { accountId }, query: { date } },
        `posthorn-statement-${date}.pdf`,
      );
    } catch (error) {
      toastFailure(error instanceof Error ? error.message : String(error));
    } finally {
      setLoading(false);
    }
  };
  return (
    <Button
      variant="default"
      leftSection={<IconFileDownload size={18} aria-hidden="true" />}
      loading={loading}
      onClick={save}
    >
      {t('billing.statement')}
    </Button>
  );
};
