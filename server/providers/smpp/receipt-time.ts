const DONE = /^(?:20)?(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)?$/;

/** The time of a receipt's done date, given how far the far end's clock is ahead of UTC. */
export const receiptTime = (doneDate: string | undefined, offsetMinutes: number | undefined): Date => {
  const found = offsetMinutes === undefined ? null : DONE.exec(doneDate ?? '');
  if (!found || offsetMinutes === undefined) return new Date();
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = found
    .slice(1)
    .map((part) => Number(part ?? 0));
  return new Date(Date.UTC(2000 + year, month - 1, day, hour, minute - offsetMinutes, second));
};
