import { Switch } from '@mantine/core';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import { call } from '../../ground/api/call.ts';
import { t } from '../../ground/i18n/translate.ts';
import { useSave } from '../../ground/ui/forms/use-save.ts';

interface EmailSettingProps {
  accountId: AccountId;
  receiveEmail: boolean;
}

export const EmailSetting = ({ accountId, receiveEmail }: EmailSettingProps) => {
  const save = useSave((wanted: boolean) =>
    call('PUT /account/:accountId/setting', { params: { accountId }, body: { receiveEmail: wanted } }),
  );
  return (
    <Switch
      size="md"
      label={t('settings.email')}
      description={t('settings.email_hint')}
      checked={save.isPending ? save.variables : receiveEmail}
      onChange={({ currentTarget }) => save.mutate(currentTarget.checked)}
    />
  );
};
