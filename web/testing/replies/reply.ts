import type { CallName, Reply } from '../../../contract/calls.ts';
import type { AccountId } from '../../../contract/customer/accounts.ts';

export const ACCOUNT_ID = '018f0000-0000-7000-8000-00000000000a' as AccountId;
export const AT = '2026-03-04T05:06:07.000Z';
export const id = (n: number) => `018f0000-0000-7000-8000-${String(n).padStart(12, '0')}`;

/** What a call answers: typed by the contract, so that a changed contract changes the tests. */
export type Replies = { [N in CallName]?: Reply<N> };
