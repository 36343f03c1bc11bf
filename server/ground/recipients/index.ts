export { callingCodeOf, countriesOf, countryOf, countryOfNumber } from './country.ts';
export { numberRange } from './number-range.ts';
export { numberReadings } from './number-readings.ts';
export { readRecipient } from './read-recipient.ts';
export { senderKey, senderNumber } from './sender-number.ts';
