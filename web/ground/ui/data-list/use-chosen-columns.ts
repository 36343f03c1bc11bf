import { useCallback, useMemo, useState } from 'react';
import type { Column } from './column.ts';

type Choice = Record<string, boolean>;

const keyOf = (name: string) => `columns.${name}`;

/** What another version or another program stored is ignored. */
const readChoice = (name: string): Choice => {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(keyOf(name)) ?? '{}');
    const entries = Object.entries(typeof stored === 'object' && stored !== null ? stored : {});
    return Object.fromEntries(entries.filter(([, shown]) => typeof shown === 'boolean'));
  } catch {
    return {};
  }
};

/** The columns that are shown: as the reader chose in this browser, otherwise as each column says. */
export const useChosenColumns = <Row>(name: string, columns: Column<Row>[]) => {
  const [choice, setChoice] = useState(() => readChoice(name));
  const chosen = useMemo(
    () => columns.filter(({ id, choice: first }) => !first || (choice[id] ?? first === 'shown')),
    [columns, choice],
  );
  const choose = useCallback(
    (id: string, shown: boolean) =>
      setChoice((now) => {
        const next = { ...now, [id]: shown };
        localStorage.setItem(keyOf(name), JSON.stringify(next));
        return next;
      }),
    [name],
  );
  return { chosen, choose };
};
