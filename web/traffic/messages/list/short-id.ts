/** The end of an id differs from row to row; its beginning is the time. */
export const shortId = (id: string) => `…${id.slice(-8)}`;
