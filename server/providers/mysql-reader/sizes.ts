import { type Token, textAt } from './tokens.ts';

/** Of a text that one call makes. */
const MOST_MADE = 1_000_000;
/** Which of its arguments says how long the text is. */
const LENGTH_AT: Record<string, number> = { repeat: 1, lpad: 1, rpad: 1, space: 0 };

/** The arguments of the call whose bracket is here, as tokens. */
const argumentsFrom = (tokens: Token[], open: number): Token[][] => {
  const all: Token[][] = [[]];
  let depth = 0;
  for (let at = open; at < tokens.length; at += 1) {
    const token = tokens[at];
    const sign = textAt(tokens, at);
    if (sign === ')') depth -= 1;
    if (depth === 0 && sign === ')') break;
    if (depth === 1 && sign === ',') all.push([]);
    else if (token && depth > 0) all.at(-1)?.push(token);
    if (sign === '(') depth += 1;
  }
  return all;
};

const numberOf = (argument: Token[] | undefined): number => {
  const text = argument?.map(({ text: of }) => of).join('') ?? '';
  return /^[\d.]+(e\d+)?$/.test(text) ? Number(text) : 1;
};
const textLengthOf = ([token, ...more]: Token[] = []): number =>
  token?.kind === 'text' && more.length === 0 ? token.text.length - 2 : 1;

/**
 * The first call whose written arguments ask for a longer text than a call should make. A help for who mistypes, and no
 * defence: a number that is computed is not seen.
 */
export const largeIn = (tokens: Token[]): { what: string; position: number } | undefined => {
  for (const [at, { begin }] of tokens.entries()) {
    const name = textAt(tokens, at);
    const lengthAt = Object.hasOwn(LENGTH_AT, name) ? LENGTH_AT[name] : undefined;
    if (lengthAt === undefined || textAt(tokens, at + 1) !== '(') continue;
    const given = argumentsFrom(tokens, at + 1);
    const size = numberOf(given[lengthAt]) * (name === 'repeat' ? textLengthOf(given[0]) : 1);
    if (size > MOST_MADE)
      return {
        what: `${name}, ${size.toLocaleString('en-US')} > ${MOST_MADE.toLocaleString('en-US')}`,
        position: begin,
      };
  }
  return undefined;
};
