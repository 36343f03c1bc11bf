import type { Page } from '@playwright/test';
import { expect } from './fixtures.ts';
import type { texts } from './texts.ts';

/** Waits for a toast and puts it away, so that the next one that says the same is told from it. */
export const expectToast = async (page: Page, t: ReturnType<typeof texts>, text: string): Promise<void> => {
  // By its class: a fault at its field is an alert as well.
  const toast = page
    .locator('.mantine-Notification-root')
    .filter({ has: page.getByText(text, { exact: true }) });
  await expect(toast).toBeVisible();
  // It may go by itself first, or move while another one goes; below the mouse it would stay.
  await expect(async () => {
    await toast
      .getByRole('button', { name: t('layout.close') })
      .click({ timeout: 2_000 })
      .catch(() => {});
    await expect(toast).toHaveCount(0, { timeout: 2_000 });
  }).toPass({ timeout: 20_000 });
};
