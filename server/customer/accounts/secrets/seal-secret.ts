import { hash, randomBytes } from 'node:crypto';
import type { AccountId } from '../../../../contract/customer/accounts.ts';
import { openSealed, seal } from '../../../ground/sealing/index.ts';

const PREFIX = 'ph_';

/** The prefix lets source code scanners recognise a leaked secret. */
export const newSecret = (): string => `${PREFIX}${randomBytes(24).toString('base64url')}`;

/** A secret that sends through the simulator and costs nothing; its prefix says so. */
export const newTestSecret = (): string => `${PREFIX}test_${randomBytes(24).toString('base64url')}`;

/** Whether the text may be a secret rather than a session token. */
export const isSecret = (text: string): boolean => text.startsWith(PREFIX);

export const hashSecret = (secret: string): Buffer => hash('sha256', secret, 'buffer');
/** The same in base64, which is cheaper if it is only looked up. */
export const hashSecretAsText = (secret: string): string => hash('sha256', secret, 'base64');

interface Seal {
  key: Buffer;
  accountId: AccountId;
}

export const sealSecret = ({ key, accountId, secret }: Seal & { secret: string }): Buffer =>
  seal({ key, owner: accountId, text: secret });

export const openSealedSecret = ({ key, accountId, sealed }: Seal & { sealed: Buffer }): string =>
  openSealed({ key, owner: accountId, sealed });
