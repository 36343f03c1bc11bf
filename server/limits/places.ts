import { DomainError } from '../domain-error.ts';

interface PlacesOptions {
  total: number;
  /** Of one key, such as an account or an address, so that there is room for others. */
  perKey: number;
}

/** Takes a place and returns how to give it back; refuses with E_UNAVAILABLE if none is left for this key. */
export type TakePlace = (key: string) => () => void;

export const openPlaces = ({ total, perKey }: PlacesOptions): TakePlace => {
  const taken = new Map<string, number>();
  let all = 0;
  return (key) => {
    const own = taken.get(key) ?? 0;
    if (all >= total || own >= perKey) throw new DomainError('E_UNAVAILABLE');
    taken.set(key, own + 1);
    all += 1;
    let given = false;
    return () => {
      if (given) return;
      given = true;
      all -= 1;
      const left = (taken.get(key) ?? 1) - 1;
      if (left > 0) taken.set(key, left);
      else taken.delete(key);
    };
  };
};
