/** A number with the name that the account gave it, which comes first. */
export const namedText = (name: string, number: string): string => (name ? `${name} (${number})` : number);
