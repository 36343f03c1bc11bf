import type { DeliveryReport } from '../modems/modem.ts';
import type { Awaited } from './records.ts';
import type { JournalState } from './state.ts';

const DIGITS_COMPARED = 8;

/** Networks repeat a number with or without its country. */
const isSameNumber = (one: string, other: string): boolean => {
  const [a, b] = [one, other].map((number) => number.replace(/\D/g, '').slice(-DIGITS_COMPARED));
  return a === b;
};

/**
 * The message that a report is about. References are numbers below 256 that come again, so the recipient counts too,
 * and the latest message. A message whose answer was lost is found by its recipient alone, unless the report repeats
 * one on a message that has its receipt.
 */
export const findAwaited = (
  { awaited, settled }: Pick<JournalState, 'awaited' | 'settled'>,
  modem: string,
  { reference, recipient }: DeliveryReport,
): Awaited | undefined => {
  const isFor = (one: Awaited): boolean =>
    one.modem === modem && (recipient === undefined || isSameNumber(one.recipient, recipient));
  const isAbout = (one: Awaited): boolean => one.references.includes(reference) && isFor(one);
  const all = [...awaited.values()];
  const found = all.findLast(isAbout);
  if (found || recipient === undefined || [...settled.values()].some(isAbout)) return found;
  return all.find((one) => one.references.length < one.parts && isFor(one));
};

/** What is known of the message after the report of a part, and whether that is its end. */
export const mergeReport = (
  awaited: Awaited,
  { reference, state }: DeliveryReport,
): { awaited: Awaited; state: DeliveryReport['state'] | undefined } => {
  const references = awaited.references.includes(reference)
    ? awaited.references
    : [...awaited.references, reference];
  const delivered =
    state === 'delivered' ? [...new Set([...awaited.delivered, reference])] : awaited.delivered;
  const merged = { ...awaited, references, delivered };
  if (state === 'failed') return { awaited: merged, state };
  return { awaited: merged, state: delivered.length >= awaited.parts ? 'delivered' : undefined };
};
