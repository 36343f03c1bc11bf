/** character_not_in_repertoire and untranslatable_character: NUL, in a text and in JSON. */
const CODES = ['22021', '22P05'];

/** Whether a statement failed because a text has a character that PostgreSQL can't store: whoever sent it is at fault. */
export const isUnstorableText = (error: unknown): boolean =>
  CODES.includes(String((error as { code?: unknown } | undefined)?.code));
