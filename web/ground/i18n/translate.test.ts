import { beforeEach, describe, expect, test } from 'vitest';
import { type Label, setTexts, t } from './translate.ts';

const HELLO = 'hello' as Label;

describe('t', () => {
  beforeEach(() => setTexts({ hello: 'Hello {{name}}, you have {{count}} messages.', empty: '' }));

  test('a missing text shows its label in brackets', () => {
    // @ts-expect-error: no text has this label.
    expect(t('not.there')).toBe('[not.there]');
    // @ts-expect-error: no text has this label.
    expect(t('toString')).toBe('[toString]');
  });

  test('a label that no text has is a fault of types, composed or by a condition too', () => {
    const either = (first: boolean) => first;
    // @ts-expect-error: no text has the second.
    expect(t(either(false) ? 'wallet.title' : 'home.lost')).toBe('[home.lost]');
    const channel: 'sms' | 'fax' = either(true) ? 'fax' : 'sms';
    // @ts-expect-error: one of the values has no text.
    expect(t(`send.channel.${channel}`)).toBe('[send.channel.fax]');
    // @ts-expect-error: what may stand there is unknown.
    expect(t(`send.channel.${String(channel)}`)).toBe('[send.channel.fax]');
  });

  test('an empty text is a text', () => expect(t('empty' as Label)).toBe(''));

  test('placeholders are filled in, zero too', () => {
    expect(t(HELLO, { name: 'Kit', count: 0 })).toBe('Hello Kit, you have 0 messages.');
  });

  test('a value is taken as it is, even when it looks like a placeholder or a pattern', () => {
    expect(t(HELLO, { name: '$& {{count}}', count: 2 })).toBe('Hello $& {{count}}, you have 2 messages.');
  });

  test('a placeholder without its value stays visible', () => {
    expect(t(HELLO, { name: 'Kit' })).toBe('Hello Kit, you have {{count}} messages.');
  });
});
