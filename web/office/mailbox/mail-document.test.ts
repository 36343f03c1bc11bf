import { expect, test } from 'vitest';
import { mailDocument } from './mail-document.ts';

test('style attributes become rules that carry the nonce', () => {
  const document = mailDocument(`<p style="color: red">a</p><a href="/x" style='margin:0'>b</a>`, 'n0nce');
  expect(document).not.toMatch(/ style=/);
  expect(document).toContain('<style nonce="n0nce">[data-s="0"]{color: red}\n[data-s="1"]{margin:0}</style>');
  expect(document).toContain('<p data-s="0">a</p><a href="/x" data-s="1">b</a>');
});

test('quotes in a style are decoded', () => {
  expect(mailDocument('<p style="font-family: &quot;Arial&quot;">a</p>', 'n')).toContain(
    '{font-family: "Arial"}',
  );
});

test('style elements of the mail get the nonce too', () => {
  expect(mailDocument('<style>p{}</style>', 'n')).toContain('<style nonce="n">p{}</style>');
});

test('scripts and redirections are left out', () => {
  const document = mailDocument('<meta http-equiv="refresh" content="0"><script src="/x"></script>a', 'n');
  expect(document).not.toMatch(/script|refresh/);
});
