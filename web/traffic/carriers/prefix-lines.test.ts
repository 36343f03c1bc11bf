import { expect, test } from 'vitest';
import { faultyPrefixLine, fromLines, toLines } from './prefix-lines.ts';

test('what was written is read again, with names of several words', () => {
  const prefixes = [
    { prefix: '+8526', carrierName: 'csl' },
    { prefix: '+85261112222', carrierName: 'China Mobile HK' },
  ];
  expect(fromLines(toLines(prefixes))).toEqual(prefixes);
  expect(fromLines('\n  +8526   csl \n\n')).toEqual([{ prefix: '+8526', carrierName: 'csl' }]);
  expect(fromLines('')).toEqual([]);
});

test.each([
  '8526 csl',
  '+8529 csl',
  '+0852 csl',
  '+8526',
  '+85261112222333344 csl',
  `+8526 ${'x'.repeat(101)}`,
])('the line %s is named as faulty', (line) => {
  expect(faultyPrefixLine(`+8529 smt\n${line}`)).toBe(line);
  expect(faultyPrefixLine('+8529 smt')).toBeUndefined();
});
