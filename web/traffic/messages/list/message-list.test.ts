import { describe, expect, it } from 'vitest';
import { mayRefresh } from '../search/may-refresh.ts';
import { durationText, durationTone } from './duration-tag.ts';
import { pageCount, pageLinks } from './page-links.ts';

describe('page links', () => {
  it.each([
    [1, 1, [1]],
    [2, 3, [1, 2, 3]],
    [1, 40, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]],
    [20, 40, [15, 16, 17, 18, 19, 20, 21, 22, 23, 24]],
    [40, 40, [31, 32, 33, 34, 35, 36, 37, 38, 39, 40]],
  ])('page %i of %i links ten around it', (page, pages, links) => {
    expect(pageLinks(page, pages)).toEqual(links);
  });

  it('there is one page even of nothing, and no empty one at the end', () => {
    expect([0, 1, 50, 51, 100].map((total) => pageCount(total, 50))).toEqual([1, 1, 1, 2, 2]);
  });
});

it('the duration badge is green up to 30 minutes, a warning above, a danger above an hour', () => {
  expect([0, 1_800, 1_801, 3_600, 3_601].map(durationTone)).toEqual(['good', 'good', 'wait', 'wait', 'bad']);
  expect([0, 45, 60, 725, 3_600, 12_000, 187_200].map(durationText)).toEqual([
    '0s',
    '45s',
    '1m',
    '12m 5s',
    '1h',
    '3h 20m',
    '2d 4h',
  ]);
});

describe('auto refresh', () => {
  const moment = { held: false, hidden: false, random: 0.99 };

  it('happens on a page that is looked at', () => {
    expect(mayRefresh(moment)).toBe(true);
  });

  it('is skipped while the list is held', () => {
    expect(mayRefresh({ ...moment, held: true })).toBe(false);
  });

  it('is skipped nine times of ten on a hidden page', () => {
    const draws = Array.from({ length: 1_000 }, (_, n) => n / 1_000);
    const kept = draws.filter((random) => mayRefresh({ ...moment, hidden: true, random }));
    expect(kept).toHaveLength(100);
  });
});
