import { hash, verify } from '@node-rs/argon2';
import { PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from '../../contract/constants.ts';
import { DomainError } from '../domain-error.ts';

/** Argon2id as OWASP's Password Storage Cheat Sheet recommends: 19 MiB, 2 passes, 1 lane. */
export const HASH_OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** The hash of an unknown password, made with the options above: verifying it takes the usual time. */
export const NOBODYS_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$E1n2TwQPz1ZRVxEc/c6CnA$rlm5mqQWNKm7RQFq/EztLLHGXyyPNkMSl6MkVujDGjg';

/** Two of the four threads that Node has for this work: file access and DNS need the others. */
const CONCURRENT = 2;
/** More would wait longer than people do. */
const WAITING = 200;

export interface Passwords {
  hash: (password: string) => Promise<string>;
  /** Takes as long for a missing hash as for a wrong password, so that the time does not reveal which it was. */
  verify: (claim: { password: string; hash: string | null }) => Promise<boolean>;
}

/** The same password may be typed in several Unicode forms, depending on the keyboard. */
export const normalisePassword = (typed: string): string => typed.normalize('NFKC');

/** A password that is acceptable, in its normal form. */
export const acceptPassword = (typed: string): string => {
  const password = normalisePassword(typed);
  const length = [...password].length;
  if (length === 0) throw new DomainError('E_PASSWORD_EMPTY');
  if (length < PASSWORD_MIN_LENGTH)
    throw new DomainError('E_PASSWORD_TOO_SHORT', { min: PASSWORD_MIN_LENGTH });
  if (length > PASSWORD_MAX_LENGTH)
    throw new DomainError('E_PASSWORD_TOO_LONG', { max: PASSWORD_MAX_LENGTH });
  return password;
};

/** Each hash takes 19 MiB: few run at the same time, some wait, and a flood beyond that is refused. */
export const openPasswords = ({ concurrent = CONCURRENT, waiting = WAITING } = {}): Passwords => {
  let running = 0;
  const queue: (() => void)[] = [];

  const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= concurrent) {
      if (queue.length >= waiting) throw new DomainError('E_UNAVAILABLE');
      // A finished hash passes its slot on, so the count does not change.
      await new Promise<void>((resolve) => queue.push(resolve));
    } else running += 1;
    try {
      return await work();
    } finally {
      const next = queue.shift();
      if (next) next();
      else running -= 1;
    }
  };

  return {
    hash: (password) => inTurn(() => hash(password, HASH_OPTIONS)),
    verify: ({ password, hash: kept }) =>
      inTurn(async () => {
        const right = await verify(kept ?? NOBODYS_HASH, password);
        return right && kept !== null;
      }),
  };
};
