/** Seconds or a date, as in RFC 9110; anything else counts as missing. */
export const retryAfterMs = (header: string | undefined, now = Date.now()): number | undefined => {
  if (header === undefined) return undefined;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * 1_000;
  const date = /[a-z]/i.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
};
