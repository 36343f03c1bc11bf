import { NativeSelect } from '@mantine/core';
import type { AccountId } from '../../contract/accounts.ts';
import { CURRENCIES, type Currency } from '../../contract/constants.ts';
import { call } from '../api/call.ts';
import { t } from '../i18n/translate.ts';
import { useSave } from '../ui/use-save.ts';

interface CurrencySettingProps {
  accountId: AccountId;
  currency: Currency;
}

export const CurrencySetting = ({ accountId, currency }: CurrencySettingProps) => {
  const save = useSave((wanted: Currency) =>
    call('PUT /account/:accountId/paymentSetting', { params: { accountId }, body: { currency: wanted } }),
  );
  return (
    <NativeSelect
      size="md"
      label={t('settings.currency')}
      description={t('settings.currency_hint')}
      data={[...CURRENCIES]}
      value={save.isPending ? save.variables : currency}
      onChange={({ currentTarget }) => save.mutate(currentTarget.value as Currency)}
    />
  );
};
