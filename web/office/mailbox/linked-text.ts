interface TextPart {
  text: string;
  /** Where the part begins in the whole text. */
  start: number;
  /** The path behind an address of this site. */
  href?: string;
}

const ADDRESS = /https?:\/\/[^\s<>"]*[^\s<>".,;:!?)]/g;
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/** The local machine has several names; on the same port they all lead to the same program. */
const sameSite = (url: URL, origin: URL) =>
  url.origin === origin.origin ||
  (url.port === origin.port && LOOPBACK.includes(url.hostname) && LOOPBACK.includes(origin.hostname));

const pathOf = (address: string, origin: string) => {
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  return sameSite(url, new URL(origin)) ? `${url.pathname}${url.search}${url.hash}` : undefined;
};

/** Splits a text so that addresses of this site can become links; any other address stays text. */
export const linkedText = (text: string, origin: string): TextPart[] => {
  const parts: TextPart[] = [];
  let end = 0;
  for (const { 0: address, index } of text.matchAll(ADDRESS)) {
    const href = pathOf(address, origin);
    if (href === undefined) continue;
    if (index > end) parts.push({ text: text.slice(end, index), start: end });
    parts.push({ text: address, start: index, href });
    end = index + address.length;
  }
  if (end < text.length) parts.push({ text: text.slice(end), start: end });
  return parts;
};
