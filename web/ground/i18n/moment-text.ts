/** Whether the calendar has it: there is no 30th of February, though a browser's clock takes it for the 2nd of March. */
const exists = (moment: string): boolean => {
  const at = Date.parse(`${moment}Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(moment);
};

/** yyyy-MM-dd, and a day that the calendar has. */
export const isDay = (value: unknown): value is string =>
  typeof value === 'string' && /^(19|2\d)\d\d-\d\d-\d\d$/.test(value) && exists(`${value}T00:00`);

/** yyyy-MM-dd HH:mm as a text, and as a browser's field and the API have it. */
export const toWireMoment = (text: string): string => text.trim().replace(' ', 'T');
export const toMomentText = (wire: string): string => wire.replace('T', ' ');

/** yyyy-MM-dd HH:mm, and a minute that the calendar has. */
export const isMoment = (text: string): boolean => {
  const [day, time = '', more] = toWireMoment(text).split('T');
  return isDay(day) && /^\d\d:\d\d$/.test(time) && more === undefined && exists(`${day}T${time}`);
};
