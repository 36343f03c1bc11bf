import { Button } from '@mantine/core';
import { useState } from 'react';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import { call } from '../../ground/api/call.ts';
import { t } from '../../ground/i18n/translate.ts';
import { CopyButton } from '../../ground/ui/copy-button.tsx';
import { toastSuccess } from '../../ground/ui/feedback/toast.ts';
import { TextField } from '../../ground/ui/forms/form-fields.tsx';
import { useSave } from '../../ground/ui/forms/use-save.ts';
import classes from './senders.module.css';
import type { Sender } from './senders-query.ts';

interface ProveSenderProps {
  accountId: AccountId;
  sender: Sender;
}

const useVerify = ({ accountId, sender: { _id: senderId } }: ProveSenderProps) =>
  useSave((body: { code?: string }) =>
    call('POST /account/:accountId/senders/:senderId/verify', { params: { accountId, senderId }, body }),
  );

/** The code of the latest mail proves an address. */
const ProveAddress = (props: ProveSenderProps) => {
  const { accountId, sender } = props;
  const [code, setCode] = useState('');
  const verify = useVerify(props);
  const sendAgain = useSave((address: string) =>
    call('POST /account/:accountId/senders', { params: { accountId }, body: { sender: address } }),
  );
  return (
    <form
      noValidate
      className={classes.line}
      aria-label={t('senders.verify_named', { sender: sender.sender })}
      onSubmit={(event) => {
        event.preventDefault();
        if (!verify.isPending) verify.mutate({ code });
      }}
    >
      <TextField
        className={classes.code}
        label={t('senders.code')}
        description={t('senders.code_hint')}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={20}
        value={code}
        error={verify.isError}
        onChange={({ currentTarget }) => setCode(currentTarget.value)}
      />
      <Button type="submit" loading={verify.isPending}>
        {t('senders.verify')}
      </Button>
      <Button
        variant="default"
        loading={sendAgain.isPending}
        onClick={() => sendAgain.mutate(sender.sender, { onSuccess: () => setCode('') })}
      >
        {t('senders.send_again')}
      </Button>
    </form>
  );
};

const Value = ({ label, value }: { label: string; value: string }) => (
  <div>
    <dt>{label}</dt>
    <dd>
      <code>{value}</code>
      <CopyButton
        value={value}
        label={t('senders.copy', { name: label })}
        onCopied={() => toastSuccess(t('senders.copied', { name: label }))}
      />
    </dd>
  </div>
);

/** The record shows the program who runs the domain. */
const ProveDomain = (props: ProveSenderProps & { record: NonNullable<Sender['record']> }) => {
  const verify = useVerify(props);
  const { record, sender } = props;
  return (
    <div className={classes.proof}>
      <p>{t('senders.record_hint', { sender: sender.sender })}</p>
      <dl className={classes.record}>
        <Value label={t('senders.record_name')} value={record.name} />
        <Value label={t('senders.record_value')} value={record.value} />
      </dl>
      <Button
        aria-label={t('senders.check_named', { sender: sender.sender })}
        loading={verify.isPending}
        onClick={() => verify.mutate({})}
      >
        {t('senders.check')}
      </Button>
    </div>
  );
};

/** How to prove a sender that is not verified yet. */
export const ProveSender = (props: ProveSenderProps) =>
  props.sender.record ? <ProveDomain {...props} record={props.sender.record} /> : <ProveAddress {...props} />;
