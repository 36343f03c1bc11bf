import { useState } from 'react';
import type { Selected } from '../../../ground/ui/data-list/use-rows.ts';

/** Which messages are selected, or that all are that match. What was selected belongs to its search. */
export const useSelection = (search: unknown) => {
  const [selected, setSelected] = useState<Selected>({});
  const [isEvery, setEvery] = useState(false);
  const onSelect = (next: Selected) => {
    setSelected(next);
    setEvery(false);
  };
  // Of another search nobody sees it.
  const searched = JSON.stringify(search);
  const [selectedOf, setSelectedOf] = useState(searched);
  if (selectedOf !== searched) {
    setSelectedOf(searched);
    onSelect({});
  }
  const count = Object.keys(selected).length;
  return { selected, count, isEvery, onSelect, chooseEvery: () => setEvery(true) };
};
