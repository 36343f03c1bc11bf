import { Button } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useEffect, useRef } from 'react';
import { SANDBOX_CARDS } from '../../../../contract/customer/sandbox-cards.ts';
import { call } from '../../../ground/api/call.ts';
import { t } from '../../../ground/i18n/translate.ts';
import { FailureAlert } from '../../../ground/ui/feedback/failure-alert.tsx';
import { Notice } from '../../../ground/ui/feedback/notice.tsx';
import { TextField } from '../../../ground/ui/forms/form-fields.tsx';
import { useCardConfirmation } from './card-confirmation.ts';
import type { CardFormProps } from './card-form.ts';
import classes from './sandbox-card-form.module.css';

const grouped = (number: string) => number.replace(/(\d{4})(?=\d)/g, '$1 ');

/** `8/27`, `08 / 2027` or `0827`. */
const readExpiry = (typed: string): { month: number; year: number } | undefined => {
  const [, month, year] = /^\s*(\d{1,2})\s*\/?\s*(\d{4}|\d{2})\s*$/.exec(typed) ?? [];
  if (!month || !year || Number(month) < 1 || Number(month) > 12) return undefined;
  return { month: Number(month), year: year.length === 2 ? 2000 + Number(year) : Number(year) };
};

const exampleCard = (number: string) => ({
  number: grouped(number),
  expiry: `12/${new Date().getFullYear() + 4}`,
  cvc: '123',
});

const TestNumbers = ({ onChoose }: { onChoose: (number: string) => void }) => (
  <fieldset className={classes.numbers}>
    <legend>{t('sandbox.numbers')}</legend>
    <ul>
      {SANDBOX_CARDS.map(({ kind, number }) => (
        <li key={kind}>
          <button type="button" className={classes.number} onClick={() => onChoose(number)}>
            <code>{grouped(number)}</code>
            <span>{t(`sandboxCard.${kind}`)}</span>
          </button>
        </li>
      ))}
    </ul>
  </fieldset>
);

/** The sandbox's form in the place of a provider's: it accepts test numbers only, and says so. */
export const SandboxCardForm = ({ clientSecret, onConfirmed }: CardFormProps) => {
  const form = useForm({
    initialValues: { number: '', expiry: '', cvc: '' },
    validate: {
      number: (typed) => (typed.trim() === '' ? t('sandbox.number_missing') : null),
      expiry: (typed) => (readExpiry(typed) ? null : t('sandbox.expiry_invalid')),
      cvc: (typed) => (/^\d{3}$/.test(typed.trim()) ? null : t('sandbox.cvc_invalid')),
    },
  });
  const first = useRef<HTMLInputElement>(null);
  // The dialog was opened before the form was loaded.
  useEffect(() => first.current?.focus(), []);
  const confirm = async () => {
    const { number, expiry, cvc } = form.getValues();
    const { month, year } = readExpiry(expiry) ?? { month: 1, year: 2000 };
    const body = { client_secret: clientSecret, number, exp_month: month, exp_year: year, cvc: cvc.trim() };
    return (await call('POST /sandbox/cards/confirm', { body })).auth;
  };
  const { sending, failure, alertRef, submit } = useCardConfirmation(confirm, onConfirmed);
  const onSubmit = form.onSubmit(submit, (errors) => {
    const [field] = Object.keys(errors);
    if (field) form.getInputNode(field)?.focus();
  });
  return (
    <form noValidate onSubmit={onSubmit} className={classes.form} aria-label={t('cards.add')}>
      <Notice icon="sandbox" title={t('sandbox.title')} text={t('sandbox.text')} />
      {failure && <FailureAlert ref={alertRef} text={failure} />}
      <TextField
        label={t('sandbox.number')}
        inputMode="numeric"
        autoComplete="off"
        ref={first}
        {...form.getInputProps('number')}
      />
      <div className={classes.row}>
        <TextField
          label={t('sandbox.expiry')}
          placeholder={t('sandbox.expiry_example')}
          inputMode="numeric"
          autoComplete="off"
          {...form.getInputProps('expiry')}
        />
        <TextField
          label={t('sandbox.cvc')}
          inputMode="numeric"
          autoComplete="off"
          maxLength={4}
          {...form.getInputProps('cvc')}
        />
      </div>
      <TestNumbers onChoose={(number) => form.setValues(exampleCard(number))} />
      <Button type="submit" size="md" loading={sending}>
        {t('cards.save')}
      </Button>
    </form>
  );
};
