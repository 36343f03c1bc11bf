import { describe, expect, test } from 'vitest';
import { linkedText } from './linked-text.ts';

const ORIGIN = 'http://127.0.0.1:3000';
const linksOf = (text: string) => linkedText(text, ORIGIN).flatMap(({ href }) => href ?? []);

describe('linkedText', () => {
  test('the whole text is kept', () => {
    const text = 'Follow http://127.0.0.1:3000/activate?token=a_b-c. Thank you.\nPosthorn';
    expect(
      linkedText(text, ORIGIN)
        .map((part) => part.text)
        .join(''),
    ).toBe(text);
  });

  test('an address of this site becomes a path, without the full stop after it', () => {
    expect(linksOf('Follow http://127.0.0.1:3000/activate?token=a_b-c.')).toEqual(['/activate?token=a_b-c']);
  });

  test('the names of this machine mean the same site on the same port only', () => {
    expect(linksOf('http://localhost:3000/login')).toEqual(['/login']);
    expect(linksOf('http://localhost:3001/login')).toEqual([]);
  });

  test('any other address stays text', () =>
    expect(linksOf('See https://evil.example/activate')).toEqual([]));
});
