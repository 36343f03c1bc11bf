import { expect, test } from 'vitest';
import { neededWidth } from '../../../ground/ui/data-list/column.ts';
import { transferColumns } from './transfer-columns.tsx';

/** What is left of a window of 1,280 px beside the dialog's margins (5 % each) and padding, in rem. */
const ROOM = (1_280 * 0.9 - 2 * 16) / 16;

test('the scores of a transfer fit its dialog: in less room the list would leave them out', () => {
  expect(
    neededWidth(
      transferColumns(() => {}),
      false,
    ),
  ).toBeLessThanOrEqual(ROOM);
});
