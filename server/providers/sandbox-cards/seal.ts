import { createHmac, timingSafeEqual } from 'node:crypto';

const MAC_BYTES = 16;

/**
 * References that contain everything, so that the sandbox stores nothing: a name, some fields without dots, and a
 * signature, so that nobody can invent one. A reference signed under one name is not valid under another.
 */
export const openSeal = (key: Buffer) => {
  // The key also seals other things; the derived one is for these references only.
  const own = createHmac('sha256', key).update('sandbox cards').digest();
  const macOf = (text: string): Buffer =>
    createHmac('sha256', own).update(text).digest().subarray(0, MAC_BYTES);

  return {
    sign: (name: string, fields: string[]): string => {
      const text = [name, ...fields].join('.');
      return `${text}.${macOf(text).toString('base64url')}`;
    },
    /** The fields; undefined when it is not of that name or was not signed here. */
    open: (name: string, reference: string): string[] | undefined => {
      const end = reference.lastIndexOf('.');
      const [text, mac] = [reference.slice(0, end), Buffer.from(reference.slice(end + 1), 'base64url')];
      if (mac.length !== MAC_BYTES || !timingSafeEqual(mac, macOf(text))) return undefined;
      const [found, ...fields] = text.split('.');
      return found === name ? fields : undefined;
    },
  };
};

export type Seal = ReturnType<typeof openSeal>;
