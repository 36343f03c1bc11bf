/** The server writes a new nonce into every page; only style elements that carry it are applied. */
export const styleNonce = () =>
  document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';
