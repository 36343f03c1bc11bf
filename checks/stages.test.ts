import { expect, it } from 'vitest';

it('tests have the same clock and language on every machine', () => {
  expect(new Date(2026, 6, 1).getTimezoneOffset()).toBe(0);
  const { LANG, LC_ALL, LANGUAGE } = process.env;
  expect({ LANG, LC_ALL, LANGUAGE }).toEqual({ LANG: 'C.UTF-8', LC_ALL: undefined, LANGUAGE: undefined });
});
