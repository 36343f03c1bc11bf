import { type KeyboardEvent, useState } from 'react';

const STEPS: Record<string, number> = {
  ArrowDown: 1,
  j: 1,
  ArrowUp: -1,
  k: -1,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};

interface RowKeys {
  count: number;
  focusRow: (index: number) => void;
  onOpen?: (index: number) => void;
  onSelect?: (index: number, event: unknown) => void;
}

/** One row is reached by the Tab key; arrows, j and k go from row to row, Enter opens and the space bar selects. */
export const useRowKeys = ({ count, focusRow, onOpen, onSelect }: RowKeys) => {
  const [active, setActive] = useState(0);
  const indexOf = (target: EventTarget) =>
    target instanceof HTMLTableRowElement ? Number(target.dataset.index) : undefined;

  const onKeyDown = (event: KeyboardEvent) => {
    const index = indexOf(event.target);
    if (index === undefined || event.metaKey || event.ctrlKey || event.altKey) return;
    const step = STEPS[event.key];
    if (step !== undefined) focusRow(Math.min(Math.max(index + step, 0), count - 1));
    else if (event.key === 'Enter') onOpen?.(index);
    else if (event.key === ' ') (onSelect ?? onOpen)?.(index, event);
    else return;
    event.preventDefault();
  };
  return {
    active: Math.min(active, count - 1),
    onKeyDown,
    onFocus: ({ target }: { target: EventTarget }) => {
      const index = indexOf(target);
      if (index !== undefined) setActive(index);
    },
  };
};
