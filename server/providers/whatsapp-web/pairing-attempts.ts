import type { Pairing } from '../../fleet/devices/driver.ts';

/** WhatsApp Web renews its QR code after a minute for the first time, then every 20 seconds. */
const FIRST_QR_MS = 60_000;
const QR_MS = 20_000;
const QR_ATTEMPTS = 6;
/** As the library asks for them. */
export const CODE_MS = 180_000;
const CODE_ATTEMPTS = 3;

/** Numbers the codes that WhatsApp Web shows; undefined once nobody used the last of them. */
export const countPairings = () => {
  let attempt = 0;
  return (way: Pairing['kind'], text: string, now: number): Pairing | undefined => {
    attempt += 1;
    const attempts = way === 'qr' ? QR_ATTEMPTS : CODE_ATTEMPTS;
    if (attempt > attempts) return undefined;
    const lastsMs = way === 'code' ? CODE_MS : attempt === 1 ? FIRST_QR_MS : QR_MS;
    return { kind: way, text, expiresAt: new Date(now + lastsMs), attempt, attempts };
  };
};
