import { hash, verify } from '@node-rs/argon2';
import { PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from '../../../../contract/ground/constants.ts';
import { DomainError } from '../../../ground/domain-error.ts';
import { openConcurrencyLimit } from '../../../ground/limits/index.ts';

/** Argon2id as OWASP's Password Storage Cheat Sheet recommends: 19 MiB, 2 passes, 1 lane. */
export const HASH_OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** The hash of an unknown password, made with the options above: verifying it takes the usual time. */
export const NOBODYS_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$E1n2TwQPz1ZRVxEc/c6CnA$rlm5mqQWNKm7RQFq/EztLLHGXyyPNkMSl6MkVujDGjg';

/** Two of the four threads that Node has for this work: file access and DNS need the others. */
const CONCURRENT = 2;
/** More would wait longer than people do. */
const WAITING = 200;
/** One address may have this part of those who wait. */
const SHARES = 10;
const OURSELVES = '';

export interface Passwords {
  /** `from` is the address that asks; without it, ourselves. */
  hash: (password: string, from?: string) => Promise<string>;
  /** Takes as long for a missing hash as for a wrong password, so that the time does not reveal which it was. */
  verify: (claim: { password: string; hash: string | null; from: string }) => Promise<boolean>;
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

/**
 * Each hash takes 19 MiB: few run at the same time, some wait, and a flood beyond that is refused. Addresses take turns,
 * so that those who guess make others wait for one of their guesses at most.
 */
export const openPasswords = ({ concurrent = CONCURRENT, waiting = WAITING } = {}): Passwords => {
  const inTurn = openConcurrencyLimit(concurrent, {
    maxPerKey: Math.max(1, concurrent - 1),
    maxWaiting: waiting,
    maxWaitingPerKey: Math.max(1, Math.floor(waiting / SHARES)),
  });
  return {
    hash: (password, from = OURSELVES) => inTurn(() => hash(password, HASH_OPTIONS), { key: from }),
    verify: ({ password, hash: kept, from }) =>
      inTurn(
        async () => {
          const right = await verify(kept ?? NOBODYS_HASH, password);
          return right && kept !== null;
        },
        { key: from },
      ),
  };
};
