import { useRef, useState } from 'react';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import { call } from '../../ground/api/call.ts';
import { t } from '../../ground/i18n/translate.ts';
import { TextField } from '../../ground/ui/forms/form-fields.tsx';
import { useSave } from '../../ground/ui/forms/use-save.ts';

interface WebhookSettingProps {
  accountId: AccountId;
  webhook: string;
}

/** Saves when the field is left or Enter is pressed. What was typed stays in the field, even when it was refused. */
export const WebhookSetting = ({ accountId, webhook }: WebhookSettingProps) => {
  const [typed, setTyped] = useState(webhook);
  const sent = useRef(webhook);
  const save = useSave((value: string) =>
    call('PUT /account/:accountId/setting', { params: { accountId }, body: { webhook: value } }),
  );
  const commit = ({ again }: { again: boolean }) => {
    const value = typed.trim();
    // Leaving the field again does not repeat a refused value; Enter does.
    if (value === sent.current && !(again && save.isError)) return;
    sent.current = value;
    save.mutate(value);
  };
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        commit({ again: true });
      }}
    >
      <TextField
        label={t('settings.webhook')}
        description={t('settings.webhook_hint')}
        type="url"
        autoComplete="off"
        spellCheck={false}
        placeholder="https://"
        maxLength={2000}
        value={typed}
        error={save.isError}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        onBlur={() => commit({ again: false })}
      />
    </form>
  );
};
