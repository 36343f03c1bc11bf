export { countryOf, countryOfNumber } from './country.ts';
export { readRecipient } from './read-recipient.ts';
export { senderKey, senderNumber } from './sender-number.ts';
