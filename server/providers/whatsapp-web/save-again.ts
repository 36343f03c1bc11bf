/** Saves again and again: after the first time that is named, then each time after `everyMs`. */
export const saveAgain = ({ save, everyMs }: { save: () => void; everyMs: number }) => {
  let timer: NodeJS.Timeout | undefined;
  const after = (ms: number): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      save();
      after(everyMs);
    }, ms);
  };
  return { after, stop: (): void => clearTimeout(timer) };
};
