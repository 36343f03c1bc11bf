import { type RefObject, useRef } from 'react';
import type { Draft, DraftField, Faults } from './draft.ts';

type FieldRefs = Record<DraftField, RefObject<HTMLElement | null>>;

/** The props of every part of the form. */
export interface SendFieldsProps {
  draft: Draft;
  faults: Faults;
  fields: FieldRefs;
  change: (changed: Partial<Draft>) => void;
}

/** In the order of the form. */
export const FIELDS: DraftField[] = ['device', 'phone', 'address', 'file', 'message', 'template', 'schedule'];

export const useFieldRefs = (): FieldRefs => ({
  device: useRef(null),
  phone: useRef(null),
  address: useRef(null),
  file: useRef(null),
  message: useRef(null),
  template: useRef(null),
  schedule: useRef(null),
});
