import { Button } from '@mantine/core';
import { useState } from 'react';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import { call } from '../../ground/api/call.ts';
import { t } from '../../ground/i18n/translate.ts';
import { TextField } from '../../ground/ui/forms/form-fields.tsx';
import { useSave } from '../../ground/ui/forms/use-save.ts';
import classes from './senders.module.css';

/** What was typed stays in the field when it was refused. */
export const AddSender = ({ accountId }: { accountId: AccountId }) => {
  const [typed, setTyped] = useState('');
  const add = useSave((sender: string) =>
    call('POST /account/:accountId/senders', { params: { accountId }, body: { sender } }),
  );
  return (
    <form
      noValidate
      className={classes.line}
      aria-label={t('senders.add')}
      onSubmit={(event) => {
        event.preventDefault();
        if (!add.isPending) add.mutate(typed.trim(), { onSuccess: () => setTyped('') });
      }}
    >
      <TextField
        className={classes.field}
        label={t('senders.add_label')}
        description={t('senders.add_hint')}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={320}
        value={typed}
        error={add.isError}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      <Button type="submit" variant="default" loading={add.isPending}>
        {t('senders.add')}
      </Button>
    </form>
  );
};
