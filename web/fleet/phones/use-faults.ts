import { useCallback, useState } from 'react';
import type { PhoneId } from '../../../contract/fleet/phones.ts';
import type { EditedPhone } from './use-edit-phone.ts';

/** What was typed into a cell, and why the server did not take it. */
export interface Fault {
  typed: string;
  message: string;
}

export const cellKey = (phoneId: PhoneId, field: string): string => `${phoneId} ${field}`;
export const editedCell = ({ phoneId, edit }: EditedPhone): string =>
  cellKey(phoneId, Object.keys(edit)[0] ?? '');

/** Edits that were refused, by their cells, until they are typed again or given up. */
export const useFaults = () => {
  const [faults, setFaults] = useState<ReadonlyMap<string, Fault>>(new Map());
  const onRefused = useCallback((edited: EditedPhone, message: string) => {
    const typed = String(Object.values(edited.edit)[0] ?? '');
    setFaults((known) => new Map(known).set(editedCell(edited), { typed, message }));
  }, []);
  const forget = useCallback((cell: string) => {
    setFaults((known) => (known.has(cell) ? new Map([...known].filter(([key]) => key !== cell)) : known));
  }, []);
  return { faults, onRefused, forget };
};
