/** Of a body, unless its call allows more. */
export const BODY_LIMIT_BYTES = 1024 * 1024;
