const QUOTE = 0x22;
const LINE_FEED = 0x0a;

/** Counts the lines of a CSV file as its bytes arrive; a line break between quotes is part of a cell. */
export const openLineCounter = () => {
  let lines = 0;
  let quoted = false;
  let last = LINE_FEED;
  return {
    add: (bytes: Uint8Array): number => {
      for (const byte of bytes) {
        if (byte === QUOTE) quoted = !quoted;
        else if (byte === LINE_FEED && !quoted) lines += 1;
      }
      last = bytes.at(-1) ?? last;
      return lines;
    },
    /** Whether the bytes so far end with a complete line. */
    isWhole: (): boolean => !quoted && last === LINE_FEED,
  };
};
