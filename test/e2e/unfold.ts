import type { Locator } from '@playwright/test';
import { expect } from './fixtures.ts';

/** Opens what lies below a button, if it is not open yet. */
export const unfold = async (button: Locator): Promise<void> => {
  if ((await button.getAttribute('aria-expanded')) !== 'true') await button.click();
  await expect(button).toHaveAttribute('aria-expanded', 'true');
};
