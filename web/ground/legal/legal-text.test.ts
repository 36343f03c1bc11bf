import { expect, it } from 'vitest';
import type { LegalText } from './legal-text.ts';
import { privacy as privacyEnglish } from './privacy.en_US.ts';
import { privacy as privacyChinese } from './privacy.zh_HK.ts';
import { terms as termsEnglish } from './terms.en_US.ts';
import { terms as termsChinese } from './terms.zh_HK.ts';

const shapeOf = ({ updated, sections }: LegalText) => ({
  updated,
  sections: sections.map(({ heading, paragraphs, points = [] }) => ({
    number: Number.parseInt(heading, 10),
    paragraphs: paragraphs.length,
    points: points.length,
  })),
});

it.each([
  ['terms', termsEnglish, termsChinese],
  ['privacy policy', privacyEnglish, privacyChinese],
])('the %s have the same date, sections, paragraphs and points in both languages', (_, english, chinese) => {
  expect(shapeOf(english)).toEqual(shapeOf(chinese));
});

it('the terms say that the account holder sets the threshold of auto charge', () => {
  const autoCharge = termsEnglish.sections.flatMap(({ paragraphs }) => paragraphs).join(' ');
  expect(autoCharge).toContain('You set the threshold');
  expect(autoCharge).not.toMatch(/threshold that the operator/);
});
