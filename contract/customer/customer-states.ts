/** How an account stands, the first that applies. */
export const ACCOUNT_STATES = ['closed', 'suspended', 'unactivated', 'unapproved', 'active'] as const;
export type AccountState = (typeof ACCOUNT_STATES)[number];

/** For how long an admin sees an account as its owner does. */
export const VIEW_MINUTES = 15;
