import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto';

/** RFC 6376, 6.1, written from the text alone: verifies one signature of a mail with the given key. */
export const verifyDkim = (
  raw: string,
  key: KeyObject,
  which = 0,
): { valid: boolean; tags: Map<string, string> } => {
  const end = raw.indexOf('\r\n\r\n');
  const fields = raw.slice(0, end).split(/\r\n(?![ \t])/);
  const body = raw.slice(end + 4);
  const signatures = fields.filter((field) => /^dkim-signature:/i.test(field));
  const field = signatures[which];
  if (field === undefined) throw new Error('there is no such signature');
  const tags = new Map(
    field
      .slice(field.indexOf(':') + 1)
      .split(';')
      .filter((tag) => tag.includes('='))
      .map(
        (tag) =>
          [
            tag.slice(0, tag.indexOf('=')).trim(),
            tag.slice(tag.indexOf('=') + 1).replace(/\s+/g, ''),
          ] as const,
      ),
  );
  if (tags.get('c') !== 'relaxed/relaxed') throw new Error('only relaxed/relaxed is read here');

  const bodyLines = body.split('\r\n').map((line) => line.replace(/[ \t]+/g, ' ').replace(/ $/, ''));
  while (bodyLines.at(-1) === '') bodyLines.pop();
  const canonical = bodyLines.map((line) => `${line}\r\n`).join('');
  const bodyHash = createHash('sha256').update(canonical, 'latin1').digest('base64');

  const relaxed = (line: string): string => {
    const colon = line.indexOf(':');
    const value = line
      .slice(colon + 1)
      .replace(/\r\n/g, '')
      .replace(/[ \t]+/g, ' ')
      .trim();
    return `${line.slice(0, colon).trim().toLowerCase()}:${value}`;
  };
  // From the bottom up, each header once: 5.4.2.
  const left = [...fields];
  const told = (tags.get('h') ?? '')
    .toLowerCase()
    .split(':')
    .flatMap((name) => {
      const at = left.findLastIndex((line) => line.slice(0, line.indexOf(':')).trim().toLowerCase() === name);
      return at < 0 ? [] : left.splice(at, 1).map((line) => `${relaxed(line)}\r\n`);
    });
  const own = relaxed(field.replace(/([;\s]b=)[^;]*/, '$1'));
  const data = Buffer.from(told.join('') + own, 'latin1');
  const signature = Buffer.from(tags.get('b') ?? '', 'base64');
  const signed =
    tags.get('a') === 'ed25519-sha256'
      ? verify(null, createHash('sha256').update(data).digest(), key, signature)
      : verify('sha256', data, key, signature);
  return { valid: signed && tags.get('bh') === bodyHash, tags };
};

/** As in the DNS record: the bare 32 octets. */
export const ed25519PublicKey = (base64: string): KeyObject =>
  createPublicKey({
    key: { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(base64, 'base64').toString('base64url') },
    format: 'jwk',
  });
