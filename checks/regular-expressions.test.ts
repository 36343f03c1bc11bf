import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test, vi } from 'vitest';
import { plantTree } from './planted-tree.ts';
import { findRegularExpressions, isUnbounded, type RegularExpression } from './regular-expressions.ts';

// Its other backends need Java, or programs that not every system can run.
vi.stubEnv('RECHECK_BACKEND', 'pure');
const { checkSync } = await import('recheck');

const root = fileURLToPath(new URL('..', import.meta.url));
/** Recheck analyses for as long as it takes: a verdict must not depend on how fast the machine is. */
const LIMIT_MS = 600_000;

/** Texts that are short before these meet them; recheck would take minutes for what is at most this long. */
const SHORT: Record<string, string> = {
  'contract/ground/constants.ts': 'an email has at most 254 characters, which is checked first',
};

/** Put together from texts of ours, of the operator or of libphonenumber; outside text is no part of the pattern. */
const COMPUTED: Record<string, string> = {
  'server/providers/twilio/settings.ts': 'a prefix of ours, and no repetition without a bound',
  'server/providers/http-sms/template.ts': 'the operator’s own, compiled to check it',
  'server/providers/http-sms/read-answer.ts': 'the operator’s own, over the answer of the provider chosen',
  'server/providers/http-sms/read-where.ts': 'the operator’s own, over the answer of the provider chosen',
  'server/providers/smtp-relay/dkim.ts': 'no repetition without a bound',
  'server/customer/integration/mask-answer.ts':
    'names of fields; what is repeated ends at a quote, and each field begins with one',
  'server/ground/translations/say-reason.ts': 'sentences of ours, each with one value between its words',
  'server/ground/recipients/number-range.ts': 'libphonenumber’s patterns, over numbers of bounded length',
  'server/ground/recipients/plain-number.ts': 'libphonenumber’s patterns, over numbers of bounded length',
};

/** The complexity of one that takes more time than the text is long; undefined for one that does not. */
const faultOf = ({ where, pattern, flags }: RegularExpression): string | undefined => {
  const verdict = checkSync(pattern, flags, { timeout: null });
  return verdict.status === 'safe'
    ? undefined
    : `${where}: /${pattern}/${flags} ${'complexity' in verdict ? verdict.complexity.summary : 'unknown'}`;
};

/**
 * Those that recheck once found to be safe, as they are written in the code: it would say the same again, and takes half
 * a minute for them. One that is not listed, or is changed, is checked; list it when that has passed.
 */
const KNOWN_SAFE = new Set<string>(
  JSON.parse(readFileSync(new URL('safe-regular-expressions.json', import.meta.url), 'utf8')),
);
const isKnown = ({ pattern, flags }: RegularExpression): boolean => KNOWN_SAFE.has(`/${pattern}/${flags}`);

test('no regular expression takes more than linear time on a hostile text', { timeout: LIMIT_MS }, () => {
  const { literals, computed } = findRegularExpressions(root, ['server', 'contract', 'agent']);
  const checked = literals.filter((one) => isUnbounded(one) && !SHORT[one.where.split(':')[0] ?? '']);
  expect(checked.length).toBeGreaterThan(80);
  const faults = checked.filter((one) => !isKnown(one)).map(faultOf);
  expect(faults.filter((fault) => fault !== undefined)).toEqual([]);
  expect(computed.sort()).toEqual(Object.keys(COMPUTED).sort());
});

test('a quadratic one is found, wherever it is written', { timeout: LIMIT_MS }, () => {
  const planted = plantTree({
    'server/customer/wallet/read.ts': String.raw`export const rest = (text: string) => text.replace(/(?:\r\n)+$/, '');`,
    'contract/word.ts': 'export const made = (word: string) => new RegExp(word);',
    'server/customer/wallet/bounded.ts': 'export const short = /^a{1,9}[*+]$/;',
  });
  const { literals, computed } = findRegularExpressions(planted, ['server', 'contract']);
  expect(literals.filter(isKnown)).toEqual([]);
  expect(literals.filter(isUnbounded).map(faultOf)).toEqual([
    expect.stringMatching(/^server\/customer\/wallet\/read\.ts:1: .*2nd degree polynomial/),
  ]);
  expect(computed).toEqual(['contract/word.ts']);
});
