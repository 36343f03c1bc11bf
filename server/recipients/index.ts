export { countryOf } from './country.ts';
export { readRecipient } from './read-recipient.ts';
