import { NativeSelect } from '@mantine/core';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import { CURRENCIES, type Currency } from '../../../contract/ground/constants.ts';
import { call } from '../../ground/api/call.ts';
import { t } from '../../ground/i18n/translate.ts';
import { useSave } from '../../ground/ui/forms/use-save.ts';

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
