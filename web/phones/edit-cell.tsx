import { createContext, type KeyboardEvent, type ReactNode, useContext, useState } from 'react';
import type { PhoneField } from '../../contract/phone-rules.ts';
import type { PhoneEdit, PhoneId } from '../../contract/phones.ts';
import { t } from '../i18n/translate.ts';
import { fieldText, readTyped } from './phone-fields.ts';
import classes from './phones.module.css';
import type { Phone } from './phones-query.ts';

/** What the cells share. */
export interface Editing {
  /** What is being typed, by phone and field: a cell that is scrolled away and comes back still has it. */
  drafts: Map<string, string>;
  onEdit: (edited: { phoneId: PhoneId; edit: PhoneEdit }) => void;
}

export const EditingContext = createContext<Editing>({ drafts: new Map(), onEdit: () => {} });

interface EditCellProps {
  phone: Phone;
  field: PhoneField;
  /** The field's name, as its column is headed. */
  label: string;
  disabled?: boolean;
  children?: ReactNode;
}

/** A value that a click turns into a field: Enter or leaving it saves, Escape does not. */
export const EditCell = ({ phone, field, label, disabled, children }: EditCellProps) => {
  const { drafts, onEdit } = useContext(EditingContext);
  const key = `${phone._id} ${field}`;
  const [draft, setDraft] = useState(drafts.get(key));
  const value = fieldText(phone, field);
  const name = t('phones.field_of', { field: label, phone: phone.name });

  const type = (typed: string) => {
    drafts.set(key, typed);
    setDraft(typed);
  };
  const leave = () => {
    drafts.delete(key);
    setDraft(undefined);
  };
  const save = () => {
    if (!drafts.has(key)) return;
    const typed = drafts.get(key) ?? '';
    leave();
    if (typed !== value) onEdit({ phoneId: phone._id, edit: readTyped(field, typed) });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') save();
    if (event.key === 'Escape') {
      event.stopPropagation();
      leave();
    }
  };

  if (draft !== undefined)
    return (
      <input
        className={classes.input}
        aria-label={name}
        // The click that opened it was meant for it.
        ref={(input) => input?.focus()}
        maxLength={4_000}
        value={draft}
        onChange={({ currentTarget }) => type(currentTarget.value)}
        onKeyDown={onKeyDown}
        onBlur={save}
      />
    );
  return (
    <button
      type="button"
      className={classes.value}
      aria-label={`${name}: ${value || '–'}`}
      title={value || undefined}
      disabled={disabled}
      onClick={() => type(value)}
    >
      {children ?? (value || <span className={classes.none}>–</span>)}
    </button>
  );
};
