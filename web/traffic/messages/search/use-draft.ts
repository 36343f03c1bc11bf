import { useState } from 'react';
import type { MessageFilters } from './message-filters.ts';

/** Filters that changed in the search replace what was typed; the others stay as typed. */
const followed = (draft: MessageFilters, before: MessageFilters, now: MessageFilters): MessageFilters => {
  const changed = Object.entries(now).filter(
    ([name, value]) => JSON.stringify(before[name as keyof MessageFilters]) !== JSON.stringify(value),
  );
  return { ...draft, ...Object.fromEntries(changed) };
};

/** What is typed, until Search makes it the search. */
export const useDraft = (filters: MessageFilters) => {
  const [draft, setDraft] = useState(filters);
  const [seen, setSeen] = useState(filters);
  if (seen !== filters) {
    setSeen(filters);
    setDraft(followed(draft, seen, filters));
  }
  return [draft, setDraft] as const;
};
