import { activeLanguage, LANGUAGE_TAGS } from './language.ts';
import { timeZone } from './time-zone.ts';

const locale = () => LANGUAGE_TAGS[activeLanguage()].format;

/** Formatters are cached: creating one takes longer than using it, and a table uses one a hundred times. */
const kept = <T>(make: () => T): (() => T) => {
  let made: T | undefined;
  // The language stays the same until the page is reloaded.
  return () => {
    made ??= make();
    return made;
  };
};

const twoDecimals = kept(
  () =>
    new Intl.NumberFormat(locale(), {
      minimumFractionDigits: 2,
      maximumFractionDigits: 2,
      // Less than half a cent is 0.00, not -0.00.
      signDisplay: 'negative',
    }),
);
const sixDecimals = kept(
  () => new Intl.NumberFormat(locale(), { minimumFractionDigits: 2, maximumFractionDigits: 6 }),
);
const wholes = kept(() => new Intl.NumberFormat(locale()));
const regions = kept(() => new Intl.DisplayNames(locale(), { type: 'region', style: 'short' }));

/** Dollars with two decimals and no sign: the label beside it names the currency. */
export const formatAmount = (amount: number) => twoDecimals().format(amount);

/** With all of the six decimals that money may have, so that a ledger hides nothing. */
export const formatExactAmount = (amount: number) => sixDecimals().format(amount);

const clocks = new Map<string, Intl.DateTimeFormat>();

/**
 * Dates and times are those of the account's time zone, not of the browser's, and look the same everywhere and in every
 * language: 2026-11-16 10:30:00, as the date fields have it.
 */
const written = (moment: Date, zone = timeZone()) => {
  const clock =
    clocks.get(zone) ??
    new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium', timeZone: zone });
  clocks.set(zone, clock);
  return clock.format(moment);
};

export const formatDate = (iso: string, zone?: string) => written(new Date(iso), zone).slice(0, 10);

export const formatDateTime = (iso: string) => written(new Date(iso)).slice(0, 16);

/** With seconds, for what happens many times a minute. */
export const formatMoment = (iso: string) => written(new Date(iso));

/** Without the day, where it is known from the context. */
export const formatTime = (iso: string) => written(new Date(iso)).slice(11);

export const today = () => written(new Date()).slice(0, 10);

/** A short date in two parts, one after the other: `Nov` and ` 19`, or `11月` and `19日`. */
export const formatLeaf = (iso: string): { month: string; day: string } => {
  const date = new Date(iso);
  const style = { month: 'short', timeZone: timeZone() } as const;
  const month = new Intl.DateTimeFormat(locale(), style).format(date);
  const whole = new Intl.DateTimeFormat(locale(), { ...style, day: 'numeric' }).format(date);
  return { month, day: whole.slice(month.length) };
};

/** The name of a country or region, by its two letters. */
export const regionName = (region: string) => regions().of(region) ?? region;

export const formatCount = (count: number) => wholes().format(count);

const percents = kept(
  () =>
    new Intl.NumberFormat(locale(), { style: 'percent', minimumFractionDigits: 1, maximumFractionDigits: 1 }),
);
const changes = kept(
  () =>
    new Intl.NumberFormat(locale(), {
      style: 'percent',
      maximumFractionDigits: 1,
      signDisplay: 'exceptZero',
    }),
);

/** A part of a whole: 0.972 is 97.2%. */
export const formatPercent = (part: number) => percents().format(part);

/** More or less than before: 0.05 is +5%. */
export const formatChange = (part: number) => changes().format(part);

/** A short time: 85 ms, 2.4 s, 12 min. */
export const formatMs = (ms: number) => {
  const [value, unit] =
    ms < 1_000
      ? [ms, 'millisecond']
      : ms < 90_000
        ? [ms / 1_000, 'second']
        : ms < 5_400_000
          ? [ms / 60_000, 'minute']
          : [ms / 3_600_000, 'hour'];
  return new Intl.NumberFormat(locale(), {
    style: 'unit',
    unit: unit as string,
    unitDisplay: 'short',
    maximumFractionDigits: 1,
  }).format(value as number);
};

const UNITS = [
  { unit: 'second', seconds: 1, upTo: 90 },
  { unit: 'minute', seconds: 60, upTo: 90 * 60 },
  { unit: 'hour', seconds: 3_600, upTo: Number.POSITIVE_INFINITY },
] as const;

/** In the unit that fits, rounded up: 45 seconds, 12 minutes. */
export const formatDuration = (seconds: number) => {
  const fitting = UNITS.find(({ upTo }) => seconds <= upTo) ?? UNITS[2];
  return new Intl.NumberFormat(locale(), { style: 'unit', unit: fitting.unit, unitDisplay: 'long' }).format(
    Math.ceil(seconds / fitting.seconds),
  );
};

/** A file's size as people say it. */
export const formatBytes = (bytes: number) => {
  const [unit, size] =
    bytes < 1_000
      ? ['byte', bytes]
      : bytes < 1_000_000
        ? ['kilobyte', bytes / 1e3]
        : ['megabyte', bytes / 1e6];
  return new Intl.NumberFormat(locale(), {
    style: 'unit',
    unit: unit as string,
    unitDisplay: 'short',
    maximumFractionDigits: 1,
  }).format(size as number);
};
