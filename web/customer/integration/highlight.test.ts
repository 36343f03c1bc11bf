import { expect, it } from 'vitest';
import { highlight } from './highlight.ts';

const kinds = (language: string, code: string) =>
  highlight(language, code).flatMap(({ kind, text }) => (kind ? [[kind, text]] : []));

it('loses and adds nothing', () => {
  const code = `# it's\nA="x \\" y" # 'z'\nif [ 1 ]; then echo \`date\`; fi\n`;
  for (const language of ['cURL', 'Node.js', 'Python', 'PHP', 'Go', 'Java', 'C#'])
    expect(
      highlight(language, code)
        .map(({ text }) => text)
        .join(''),
    ).toBe(code);
});

it('knows the comments of the language, also where they hold quotes', () => {
  expect(kinds('Python', "# it's one\nx = '#' # two")).toEqual([
    ['comment', "# it's one"],
    ['string', "'#'"],
    ['comment', '# two'],
  ]);
  expect(kinds('Go', 'x := "http://a" // it\'s')).toEqual([
    ['string', '"http://a"'],
    ['comment', "// it's"],
  ]);
  expect(kinds('cURL', 'KEY=$' + '{SECRET#whsec_}')).toEqual([]);
});

it('distinguishes keywords from parts of other words', () => {
  expect(kinds('Node.js', 'const format = returning.from(300, x.new)')).toEqual([
    ['keyword', 'const'],
    ['number', '300'],
  ]);
});
