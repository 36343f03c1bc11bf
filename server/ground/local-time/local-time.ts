/** Creating a formatter takes longer than using it a hundred times; there are only so many zones. */
const formats = new Map<string, Intl.DateTimeFormat>();

const formatOf = (timeZone: string): Intl.DateTimeFormat => {
  const known = formats.get(timeZone);
  if (known) return known;
  // Swedish dates have this format.
  const made = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  formats.set(timeZone, made);
  return made;
};

/** YYYY-MM-DD HH:mm:ss in a time zone. */
export const localTime = (moment: Date, timeZone: string): string => formatOf(timeZone).format(moment);

const asUtc = (local: string): number => Date.parse(`${local.replace(' ', 'T')}Z`);

const QUARTER_MS = 900_000;

/** The same for very many moments, in milliseconds: clocks change on a quarter of an hour if at all. */
export const openLocalClock = (timeZone: string): ((moment: number) => string) => {
  const offsets = new Map<number, number>();
  return (moment) => {
    const quarter = Math.floor(moment / QUARTER_MS) * QUARTER_MS;
    const offset = offsets.get(quarter) ?? asUtc(localTime(new Date(quarter), timeZone)) - quarter;
    offsets.set(quarter, offset);
    return new Date(moment + offset).toISOString().slice(0, 19).replace('T', ' ');
  };
};

/**
 * The moment of a local time in a time zone (YYYY-MM-DDTHH:mm, seconds optional); undefined if it is not a time. An
 * hour that a clock change skips is read as the one after it, one that occurs twice as the first.
 */
export const momentOf = (local: string, timeZone: string): Date | undefined => {
  const wanted = asUtc(local);
  if (Number.isNaN(wanted)) return undefined;
  const offsetAt = (moment: number) => asUtc(localTime(new Date(moment), timeZone)) - moment;
  // The zone's offset a day before and a day after: one of them applies, or the hour does not exist.
  const DAY_MS = 86_400_000;
  const [before, after] = [wanted - offsetAt(wanted - DAY_MS), wanted - offsetAt(wanted + DAY_MS)];
  const fits = [before, after].sort((a, b) => a - b).find((moment) => moment + offsetAt(moment) === wanted);
  return new Date(fits ?? before);
};
