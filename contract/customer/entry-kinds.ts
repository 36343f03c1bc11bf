/** What moves a balance. Apart from the calls: the browser loads no Zod. */
export const ENTRY_KINDS = ['TOP_UP', 'CAPTURE', 'REFUND', 'RECAPTURE', 'ADJUSTMENT', 'REVERSAL'] as const;
