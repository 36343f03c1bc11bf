import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Check } from './outcome.ts';

/** Builds the web pages as the start does, unless they are already built from the same sources. */
export const checkWebBuild: Check = async (root) => {
  const launcher = pathToFileURL(join(root, 'launch/web-build.mjs')).href;
  const { ensureWeb } = (await import(launcher)) as { ensureWeb: () => Promise<void> };
  try {
    await ensureWeb();
    return { faults: [] };
  } catch (error) {
    return { faults: [(error as Error).message] };
  }
};
