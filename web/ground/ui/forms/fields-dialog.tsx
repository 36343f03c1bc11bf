import { Button, Group, NativeSelect, Textarea } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { useId } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { queryClient } from '../../api/query-client.ts';
import { t } from '../../i18n/translate.ts';
import { dropFailure, toastFailure, toastSuccess } from '../feedback/toast.ts';
import { MomentField } from './day-field.tsx';
import { Dialog } from './dialog.tsx';
import fields from './form-fields.module.css';
import { ANNOUNCED, PasswordField, TextField } from './form-fields.tsx';

export interface Field {
  name: string;
  label: string;
  /** A secret is another's than the reader's: it is typed, and never shown. */
  kind?: 'decimal' | 'password' | 'secret' | 'moment' | 'lines';
  /** What can be chosen, where nothing is typed. */
  options?: { value: string; label: string }[];
  description?: string;
  initial?: string;
  maxLength?: number;
  /** Of lines, how many are shown at first. */
  rows?: number;
  /** The codes of refusals that are told beside it. */
  about?: RegExp;
  /** What is wrong with what was typed, if something is. */
  fault: (typed: string) => string | false;
}

export interface FieldsDialogProps {
  opened: boolean;
  onClose: () => void;
  title: string;
  text: string;
  fields: Field[];
  /** What the button says that does it; the title if not given. */
  confirm?: string;
  submit: (typed: Record<string, string>) => Promise<{ message: string } | undefined>;
  destructive?: boolean;
}

/** Beside which field a refusal is told. */
const fieldOf = (error: unknown, given: Field[]): string | undefined =>
  error instanceof ApiError ? given.find(({ about }) => about?.test(error.code))?.name : undefined;

/** `input` is what a form gives each of its fields. */
const AskedField = ({
  field: { label, kind, options, description, maxLength = 500, rows = 6 },
  input,
}: {
  field: Field;
  input: ReturnType<UseFormReturnType<Record<string, string>>['getInputProps']>;
}) => {
  if (options)
    return <NativeSelect size="md" label={label} description={description} data={options} {...input} />;
  switch (kind) {
    case 'password':
      return (
        <PasswordField
          label={label}
          show={t('guest.show_password')}
          hide={t('guest.hide_password')}
          autoComplete="current-password"
          {...input}
        />
      );
    case 'lines':
      return (
        <Textarea
          size="md"
          label={label}
          description={description}
          errorProps={ANNOUNCED}
          autosize
          minRows={rows}
          maxRows={16}
          spellCheck={false}
          {...input}
        />
      );
    case 'moment':
      return (
        <MomentField
          size="md"
          label={label}
          description={description}
          pick={t('lists.pick_day', { label })}
          value={input.value}
          onChange={input.onChange}
          error={input.error}
        />
      );
    default:
      return (
        <TextField
          label={label}
          description={description}
          autoComplete="off"
          maxLength={maxLength}
          {...(kind === 'decimal' && { inputMode: 'decimal' as const })}
          {...(kind === 'secret' && { type: 'password', autoComplete: 'new-password' })}
          {...input}
        />
      );
  }
};

const Form = ({ onClose, title, text, fields: given, confirm, submit, destructive }: FieldsDialogProps) => {
  const form = useForm<Record<string, string>>({
    initialValues: Object.fromEntries(given.map(({ name, initial = '' }) => [name, initial])),
    validate: Object.fromEntries(
      given.map(({ name, fault }) => [name, (typed: string) => fault(typed.trim())]),
    ),
  });
  const subject = useId();
  const send = async (typed: Record<string, string>) => {
    dropFailure(subject);
    try {
      const done = await submit(
        Object.fromEntries(
          given.map(({ name, kind }) => [
            name,
            kind === 'password' || kind === 'secret' ? typed[name] : typed[name]?.trim(),
          ]),
        ) as Record<string, string>,
      );
      // The page is being left.
      if (!done) return;
      onClose();
      toastSuccess(done.message);
      await queryClient.invalidateQueries();
    } catch (error) {
      const field = fieldOf(error, given);
      if (field) form.setFieldError(field, (error as Error).message);
      else toastFailure(error instanceof Error ? error.message : String(error), subject);
    }
  };
  return (
    <form noValidate className={fields.form} aria-label={title} onSubmit={form.onSubmit(send)}>
      <p>{text}</p>
      {given.map((field, place) => (
        <AskedField
          key={field.name}
          field={field}
          input={{ ...form.getInputProps(field.name), ...(place === 0 && { 'data-autofocus': true }) }}
        />
      ))}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose} disabled={form.submitting}>
          {t('layout.cancel')}
        </Button>
        <Button type="submit" loading={form.submitting} {...(destructive && { color: 'red.9' })}>
          {confirm ?? title}
        </Button>
      </Group>
    </form>
  );
};

/** Asks for a few texts, and does something with them. */
export const FieldsDialog = (props: FieldsDialogProps) => (
  <Dialog opened={props.opened} onClose={props.onClose} title={props.title} close={t('layout.close')}>
    <Form {...props} />
  </Dialog>
);

export const anything = () => false as const;
export const needed = (text: string) => (typed: string) => typed === '' && text;

interface WholeNumber {
  least: number;
  most: number;
  /** Nothing may be typed too. */
  optional?: boolean;
}

export const wholeNumber =
  ({ least, most, optional = false }: WholeNumber) =>
  (typed: string) => {
    const isFit = /^\d{1,10}$/.test(typed) && Number(typed) >= least && Number(typed) <= most;
    return !isFit && !(optional && typed === '') && t('layout.number_invalid', { least, most });
  };
