import { type RefObject, useRef } from 'react';

/** Finds a row of the list by its place and gives it the focus, also if it is not in the page yet. */
export const useRowFocus = (holder: RefObject<HTMLElement | null>) => {
  const scrollTo = useRef<(index: number) => void>(undefined);
  const findRow = (index: number) => holder.current?.querySelector<HTMLElement>(`tr[data-index="${index}"]`);
  const focusRow = (index: number) => {
    if (!findRow(index)) scrollTo.current?.(index);
    requestAnimationFrame(() => findRow(index)?.focus());
  };
  return { scrollTo, findRow, focusRow };
};
