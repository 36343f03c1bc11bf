import type { Page } from '@playwright/test';
import { expect } from './fixtures.ts';
import type { texts } from './texts.ts';

/** Waits for a toast and puts it away, so that the next one that says the same is told from it. */
export const expectToast = async (page: Page, t: ReturnType<typeof texts>, text: string): Promise<void> => {
  const toast = page.getByRole('alert').filter({ has: page.getByText(text, { exact: true }) });
  await expect(toast).toBeVisible();
  // It may go by itself first.
  await toast
    .getByRole('button', { name: t('layout.close') })
    .click({ timeout: 2_000 })
    .catch(() => {});
  await expect(toast).toHaveCount(0);
};
