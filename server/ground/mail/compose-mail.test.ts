import { expect, test } from 'vitest';
import { composeMail } from './compose-mail.ts';

const letter = {
  language: 'en_US' as const,
  subject: 'Hello <b>you</b>',
  paragraphs: ['One & "two"', "three's"],
  buttons: [{ label: 'Go <on>', url: 'https://posthorn.example/a?x=1&y="2"' }],
  notes: ['A <i>note</i>'],
};

test('the HTML form shows what was written, escaping all of it', () => {
  const { html } = composeMail(letter);
  for (const part of [
    'Hello &lt;b&gt;you&lt;/b&gt;',
    'One &amp; &quot;two&quot;',
    'three&#39;s',
    'Go &lt;on&gt;',
    'href="https://posthorn.example/a?x=1&amp;y=&quot;2&quot;"',
    'A &lt;i&gt;note&lt;/i&gt;',
  ])
    expect(html).toContain(part);
  expect(html).not.toMatch(/<b>|<i>|<on>/);
});

test('the text form holds every word and the bare address', () => {
  const { text, subject } = composeMail(letter);
  expect(subject).toBe('Hello <b>you</b>');
  expect(text).toBe(
    'One & "two"\n\nthree\'s\n\nGo <on>\nhttps://posthorn.example/a?x=1&y="2"\n\nA <i>note</i>\n\n-- \nPosthorn\n',
  );
});

test('the HTML form says its language and fetches nothing', () => {
  const { html } = composeMail({ ...letter, language: 'zh_HK' });
  expect(html).toContain('<html lang="zh-HK">');
  expect(html).toContain('如按鈕無法使用');
  expect(html).not.toMatch(/<(img|link|script|iframe)\b|url\(|@import/i);
});
