/** YYYY-MM-DD HH:mm:ss on the clocks of a time zone. */
export const localTime = (moment: Date, timeZone: string): string =>
  // Swedish writes dates just so.
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' }).format(moment);
