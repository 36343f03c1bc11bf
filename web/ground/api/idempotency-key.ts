/** Made without `crypto.randomUUID`, which is missing where the site is reached by http instead of https. */
export const idempotencyKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );
