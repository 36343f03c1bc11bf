import { type RefObject, useEffect, useRef, useState } from 'react';
import type { CardFormProps } from './card-form.ts';

interface CardConfirmation {
  sending: boolean;
  failure: string | undefined;
  alertRef: RefObject<HTMLDivElement | null>;
  submit: () => Promise<void>;
}

/**
 * Sends a card form once at a time. `confirm` asks the provider and returns its proof, or throws. The proof is kept:
 * if only storing the card failed, the next try does not ask the provider again.
 */
export const useCardConfirmation = (
  confirm: () => Promise<string>,
  onConfirmed: CardFormProps['onConfirmed'],
): CardConfirmation => {
  const [sending, setSending] = useState(false);
  const [failure, setFailure] = useState<string>();
  const underWay = useRef(false);
  const confirmed = useRef<string>(undefined);
  const alertRef = useRef<HTMLDivElement>(null);

  useEffect(() => {
    if (failure !== undefined) alertRef.current?.focus();
  }, [failure]);

  const submit = async () => {
    if (underWay.current) return;
    underWay.current = true;
    setSending(true);
    setFailure(undefined);
    try {
      confirmed.current ??= await confirm();
      await onConfirmed(confirmed.current);
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error));
    } finally {
      underWay.current = false;
      setSending(false);
    }
  };

  return { sending, failure, alertRef, submit };
};
