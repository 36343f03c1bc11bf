import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Check } from './outcome.ts';

interface Locked {
  version?: string;
  resolved?: string;
  optionalDependencies?: Record<string, string>;
}

/**
 * npm silently leaves a package for another system out of the lock file if the registry lacks it, and then never
 * installs it there. So every version is chosen so that it is available for all systems.
 */
export const checkLock: Check = async (root) => {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, Locked>;
  };
  const names = new Set(Object.keys(packages).map((path) => path.split('node_modules/').at(-1)));
  const faults = Object.entries(packages).flatMap(([path, { version, resolved, optionalDependencies }]) => [
    ...Object.keys(optionalDependencies ?? {})
      .filter((name) => !names.has(name))
      .map((name) => `package-lock.json: every-system: ${path}@${version} lacks ${name}`),
    ...(resolved ? [`package-lock.json: no-addresses: ${path} says where it was downloaded from`] : []),
  ]);
  return { faults };
};
