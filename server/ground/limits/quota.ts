import { DomainError } from '../domain-error.ts';

interface QuotaOptions {
  total: number;
  /** Of one key, such as an account or an address, so that there is room for others. */
  perKey: number;
}

/**
 * Takes a place, or so many, and returns how to give them back. Nobody waits, as with openConcurrencyLimit: refuses with
 * E_UNAVAILABLE if too few are left for this key.
 */
export type Quota = (key: string, count?: number) => () => void;

export const openQuota = ({ total, perKey }: QuotaOptions): Quota => {
  const taken = new Map<string, number>();
  let all = 0;
  return (key, count = 1) => {
    const own = taken.get(key) ?? 0;
    if (all + count > total || own + count > perKey) throw new DomainError('E_UNAVAILABLE');
    taken.set(key, own + count);
    all += count;
    let given = false;
    return () => {
      if (given) return;
      given = true;
      all -= count;
      const left = (taken.get(key) ?? count) - count;
      if (left > 0) taken.set(key, left);
      else taken.delete(key);
    };
  };
};
