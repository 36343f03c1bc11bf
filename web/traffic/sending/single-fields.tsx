import { Textarea } from '@mantine/core';
import type { RefObject } from 'react';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import type { SmsCountry } from '../../../contract/traffic/startup.ts';
import { t } from '../../ground/i18n/translate.ts';
import { ANNOUNCED, TextField } from '../../ground/ui/forms/form-fields.tsx';
import { CountrySelect } from './country-select.tsx';
import type { SendFieldsProps } from './send-fields.ts';
import classes from './send-form.module.css';
import { TargetField } from './target-field.tsx';

interface SingleFieldsProps extends SendFieldsProps {
  accountId: AccountId;
  countries: SmsCountry[];
  onSettled: (target: string) => void;
}

/** One recipient and one message. */
export const SingleFields = ({ draft, faults, fields, change, ...props }: SingleFieldsProps) => {
  const { way, country, subject, message } = draft;
  const email = way.channel === 'email';
  const targetField = email ? 'address' : 'phone';
  return (
    <>
      <div className={classes.target}>
        {!email && (
          <CountrySelect
            countries={props.countries}
            value={country}
            onChange={(chosen) => change({ country: chosen })}
          />
        )}
        <TargetField
          key={targetField}
          ref={fields[targetField] as RefObject<HTMLInputElement | null>}
          accountId={props.accountId}
          email={email}
          value={draft[targetField]}
          error={faults[targetField]}
          onChange={(typed) => change({ [targetField]: typed })}
          onSettled={props.onSettled}
        />
      </div>
      {email && (
        <TextField
          label={t('send.subject')}
          value={subject}
          maxLength={500}
          autoComplete="off"
          onChange={({ currentTarget }) => change({ subject: currentTarget.value })}
        />
      )}
      <Textarea
        ref={fields.message as RefObject<HTMLTextAreaElement | null>}
        size="md"
        label={t('send.message')}
        description={way.channel === 'whatsapp' ? t('send.whatsapp_hint') : undefined}
        autosize
        minRows={5}
        maxRows={16}
        value={message}
        error={faults.message}
        errorProps={ANNOUNCED}
        onChange={({ currentTarget }) => change({ message: currentTarget.value })}
      />
    </>
  );
};
