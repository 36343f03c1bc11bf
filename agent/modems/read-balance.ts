export interface Balance {
  /** In the SIM's currency, such as 48.50. */
  balance?: string | undefined;
  /** YYYY-MM-DD. */
  validUntil?: string | undefined;
}

const YEAR_FIRST = /\b(20\d\d)[-/.](\d{1,2})[-/.](\d{1,2})\b/;
const DAY_FIRST = /\b(\d{1,2})[-/.](\d{1,2})[-/.](20\d\d)\b/;
const WITH_CURRENCY =
  /(?:HK\$|HKD|US\$|USD|RMB|CNY|MOP|TWD|NT\$|SGD|GBP|EUR|[$€£¥]) ?(\d[\d,]{0,15}(?:\.\d{1,6})?)|(\d[\d,]{0,15}(?:\.\d{1,6})?) ?(?:HKD|USD|RMB|CNY|MOP|TWD|SGD|GBP|EUR|[€£¥元])/i;
/** As the server takes it. */
const PLAIN = /^\d{1,9}(?:\.\d{1,6})?$/;
const WITH_DECIMALS = /\b(\d{1,9}\.\d{1,2})\b/;

const dayOf = (year = '', month = '', day = ''): string | undefined => {
  const text = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const at = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text) ? text : undefined;
};

/** What a network's answer to the balance code says. An amount has a currency beside it, or at least decimals. */
export const readBalance = (text: string): Balance => {
  const [dated, year, month, day] = YEAR_FIRST.exec(text) ?? [];
  const [otherDated, otherDay, otherMonth, otherYear] = DAY_FIRST.exec(text) ?? [];
  const validUntil = dated ? dayOf(year, month, day) : dayOf(otherYear, otherMonth, otherDay);
  const rest = text.replace(dated ?? otherDated ?? '', ' ');
  const [, before, after] = WITH_CURRENCY.exec(rest) ?? [];
  const amount = before ?? after ?? WITH_DECIMALS.exec(rest)?.[1];
  return { balance: PLAIN.exec(amount?.replaceAll(',', '') ?? '')?.[0], validUntil };
};
