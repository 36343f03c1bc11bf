export { callingCodeOf, countryOf } from './country.ts';
export { numberRange } from './number-range.ts';
export { readRecipient } from './read-recipient.ts';
