/** What an admin may decide about a message, for both sides. This file must not import anything. */
export const VERDICTS = ['SUCCESS', 'FAILED'] as const;
export type Verdict = (typeof VERDICTS)[number];

/** Why a message failed that an admin resolves as such, unless another reason is given. */
export const INVALID_CONTACT = { reason: 'invalid contact', errorCode: 'E_INVALID_CONTACT' } as const;

/** Messages in doubt that carriers are asked about by one call. */
export const IN_DOUBT_MOST_ASKED = 200;
