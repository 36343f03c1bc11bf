/** Enough to recognise it, as the hint of an old one. */
export const maskSecret = (secret: string): string => `${'•'.repeat(12)}${secret.slice(-4)}`;
