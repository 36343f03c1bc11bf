import { Tooltip } from '@mantine/core';
import {
  createContext,
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
  useContext,
  useId,
  useState,
} from 'react';
import type { PhoneField } from '../../../contract/fleet/phone-rules.ts';
import type { PhoneEdit, PhoneId } from '../../../contract/fleet/phones.ts';
import { t } from '../../ground/i18n/translate.ts';
import { fieldText, readTypedField } from './phone-fields.ts';
import classes from './phones.module.css';
import type { Phone } from './phones-query.ts';
import { cellKey, type Fault } from './use-faults.ts';

interface Draft {
  phoneId: PhoneId;
  field: PhoneField;
  /** What was there when the cell was opened: it may change meanwhile. */
  from: string;
  typed: string;
}

/** What the cells share. */
export interface Editing {
  /** What is being typed, by phone and field: a cell that is scrolled away and comes back still has it. */
  drafts: Map<string, Draft>;
  onEdit: (edited: { phoneId: PhoneId; edit: PhoneEdit }) => void;
  /** Whether the reader's role may change anything. */
  mayEdit: boolean;
  /** What the server refused, by phone and field. */
  faults: ReadonlyMap<string, Fault>;
  forget: (cell: string) => void;
}

export const EditingContext = createContext<Editing>({
  drafts: new Map(),
  onEdit: () => {},
  mayEdit: false,
  faults: new Map(),
  forget: () => {},
});

interface EditCellProps {
  phone: Phone;
  field: PhoneField;
  /** The field's name, as its column is headed. */
  label: string;
  disabled?: boolean;
  children?: ReactNode;
}

/** Says below a cell why the server did not take what was typed into it. */
const Refused = ({
  fault,
  id,
  children,
}: {
  fault: Fault | undefined;
  id: string;
  children: ReactElement;
}) =>
  fault ? (
    <Tooltip
      opened
      multiline
      w="18rem"
      position="bottom-start"
      classNames={{ tooltip: classes.fault }}
      label={<span id={id}>{fault.message}</span>}
      events={{ hover: false, focus: false, touch: false }}
    >
      {children}
    </Tooltip>
  ) : (
    children
  );

/** The click that opened it was meant for it. */
const focus = (input: HTMLInputElement | null) => input?.focus();

/** A value that a click turns into a field: Enter or leaving it saves, Escape does not. */
export const EditCell = ({ phone, field, label, disabled, children }: EditCellProps) => {
  const { drafts, onEdit, mayEdit, faults, forget } = useContext(EditingContext);
  const key = cellKey(phone._id, field);
  const fault = faults.get(key);
  const faultId = useId();
  // Typed text is kept in the field and in the drafts, so that a key press renders nothing.
  const [typing, setTyping] = useState(drafts.has(key));
  const value = fieldText(phone, field);
  const name = t('phones.field_of', { field: label, phone: phone.name });

  const keep = (draft: Draft) => {
    // What was refused is not sent again as it is.
    if (draft.typed !== draft.from && draft.typed !== faults.get(cellKey(draft.phoneId, draft.field))?.typed)
      onEdit({ phoneId: draft.phoneId, edit: readTypedField(draft.field, draft.typed) });
  };
  const open = () => {
    // A cell that was scrolled away with what was typed in it is left now.
    for (const draft of drafts.values()) keep(draft);
    drafts.clear();
    drafts.set(key, { phoneId: phone._id, field, from: value, typed: fault?.typed ?? value });
    setTyping(true);
  };
  const leave = () => {
    drafts.delete(key);
    setTyping(false);
  };
  const save = () => {
    const draft = drafts.get(key);
    if (!draft) return;
    leave();
    keep(draft);
  };
  const type = (typed: string) => {
    const draft = drafts.get(key);
    if (draft) drafts.set(key, { ...draft, typed });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // Enter may also end a word of an input method.
    if (event.key === 'Enter' && !event.nativeEvent.isComposing) save();
    if (event.key === 'Escape') {
      event.stopPropagation();
      forget(key);
      leave();
    }
  };

  if (typing)
    return (
      <Refused fault={fault} id={faultId}>
        <input
          className={classes.input}
          aria-label={name}
          aria-invalid={fault !== undefined}
          aria-describedby={fault && faultId}
          ref={focus}
          maxLength={4_000}
          defaultValue={drafts.get(key)?.typed}
          onChange={({ currentTarget }) => type(currentTarget.value)}
          onKeyDown={onKeyDown}
          onBlur={save}
        />
      </Refused>
    );
  const shown = children ?? (value || <span className={classes.none}>–</span>);
  if (!mayEdit)
    return (
      <span className={classes.value} title={value || undefined}>
        {shown}
      </span>
    );
  return (
    <Refused fault={fault} id={faultId}>
      <button
        type="button"
        className={classes.value}
        aria-label={`${name}: ${(fault ? fault.typed : value) || '–'}`}
        aria-describedby={fault && faultId}
        data-refused={fault ? true : undefined}
        title={value || undefined}
        disabled={disabled}
        onClick={open}
      >
        {fault ? fault.typed || '–' : shown}
      </button>
    </Refused>
  );
};
