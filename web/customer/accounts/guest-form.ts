import { type FormErrors, type UseFormReturnType, useForm } from '@mantine/form';
import { type RefObject, type SubmitEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import type { ErrorCode } from '../../../contract/ground/errors.ts';
import { ApiError } from '../../ground/api/api-error.ts';

export interface FormRule<Values> {
  field: keyof Values & string;
  fails: (values: Values) => boolean;
  text: () => string;
}

/** All faults at once, in the order of the rules; a field shows the first rule that it breaks. */
export const formFaults = <Values>(rules: FormRule<Values>[], values: Values): FormErrors => {
  const broken = rules.filter((rule) => rule.fails(values));
  return Object.fromEntries(broken.toReversed().map((rule) => [rule.field, rule.text()]));
};

interface GuestFormOptions<Values> {
  initialValues: Values;
  rules: FormRule<Values>[];
  submit: (values: Values) => Promise<void>;
  /** Which field a refusal is about; the alert takes the focus for any other. */
  fieldOf?: { [C in ErrorCode]?: keyof Values & string };
}

export interface GuestForm<Values extends Record<string, unknown>> {
  form: UseFormReturnType<Values>;
  failure: ApiError | null;
  sending: boolean;
  onSubmit: (event: SubmitEvent<HTMLFormElement>) => void;
  alertRef: RefObject<HTMLDivElement | null>;
}

/** A form that keeps what was typed, sends once at a time, and puts the focus where the fault is. */
export const useGuestForm = <Values extends Record<string, unknown>>({
  initialValues,
  rules,
  submit,
  fieldOf = {},
}: GuestFormOptions<Values>): GuestForm<Values> => {
  const [failure, setFailure] = useState<ApiError | null>(null);
  const [sending, setSending] = useState(false);
  const underWay = useRef(false);
  const alertRef = useRef<HTMLDivElement>(null);
  const form = useForm<Values>({ initialValues, validate: (values) => formFaults(rules, values) });

  const send = async (values: Values) => {
    // A second Enter may arrive before the button is rendered as disabled.
    if (underWay.current) return;
    underWay.current = true;
    setSending(true);
    setFailure(null);
    try {
      await submit(values);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setFailure(error);
    } finally {
      underWay.current = false;
      setSending(false);
    }
  };

  const focusFault = useEffectEvent(({ code }: ApiError) => {
    const field = code === 'E_NETWORK' ? undefined : fieldOf[code];
    const node = field && form.getInputNode(field);
    (node || alertRef.current)?.focus();
  });

  useEffect(() => {
    if (failure) focusFault(failure);
  }, [failure]);

  const onSubmit = form.onSubmit(send, (errors) => {
    setFailure(null);
    const field = Object.keys(initialValues).find((name) => errors[name]);
    if (field) form.getInputNode(field)?.focus();
  });

  return { form, failure, sending, onSubmit, alertRef };
};
