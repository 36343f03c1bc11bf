import type { Channel } from '../../../contract/ground/channels.ts';
import type { MessageRequest } from '../../traffic/sending/index.ts';

/** What the demo customer sent together. */
export interface DemoBatch {
  channel: Channel;
  daysAgo: number;
  /** Minutes after midnight, in the account's time zone. */
  minute: number;
  /** Seconds that the carrier took. */
  tookSeconds: number;
  messages: MessageRequest[];
}

const BEGIN_MINUTE = { sms: 9 * 60 + 30, whatsapp: 14 * 60, email: 18 * 60 + 15 };
const COUNTS = { sms: 9, whatsapp: 5, email: 3 };
const DAYS = 8;
const MINUTE_SECONDS = 60;

/** Numbers below these are the simulator's magic ones. */
const NUMBER = 61_110_100;

const SMS = [
  (n: number) => `Your verification code is ${482_913 + n * 37}. It is valid for ten minutes.`,
  (n: number) => `您的驗證碼為 ${731_204 + n * 53}，請於十分鐘內輸入。`,
  (n: number) => `Reminder: your appointment ${300 + n} is tomorrow at half past nine. Reply 1 to confirm.`,
  (n: number) => `提提您：您的預約 ${300 + n} 將於明天上午九時半開始。`,
];
const WHATSAPP = [
  (n: number) => `Your parcel ${5_000 + n} is out for delivery today between 2 and 4 pm.`,
  (n: number) => `閣下的訂單 ${5_000 + n} 已經寄出，預計明天送達。`,
];
const EMAIL = [
  (n: number) => `Thank you for your order ${5_000 + n}. Your invoice is ready in your account.`,
  (n: number) => `多謝惠顧。訂單 ${5_000 + n} 的發票已可在你的帳戶內查閱。`,
];

const pick = (texts: ((n: number) => string)[], n: number): string => texts[n % texts.length]?.(n) ?? '';

const wantedOf: Record<Channel, (n: number) => MessageRequest> = {
  sms: (n) => ({ recipientRaw: `+852${NUMBER + (n % 60)}`, message: pick(SMS, n) }),
  whatsapp: (n) => ({ recipientRaw: `+852${NUMBER + (n % 60)}`, message: pick(WHATSAPP, n) }),
  email: (n) => ({
    recipientRaw: `customer-${100 + (n % 40)}@example.com`,
    subject: n % 2 === 0 ? `Your order ${5_000 + n}` : `你的訂單 ${5_000 + n}`,
    message: pick(EMAIL, n),
  }),
};

/** Most are sent immediately; on two days the carrier was slow, which the badges show. */
const tookSeconds = (daysAgo: number): number => {
  if (daysAgo === 3) return 41 * MINUTE_SECONDS;
  return daysAgo === 5 ? 74 * MINUTE_SECONDS : 2;
};

export const demoBatches = (): DemoBatch[] =>
  Array.from({ length: DAYS }, (_, daysAgo) =>
    (['sms', 'whatsapp', 'email'] as const).map((channel) => ({
      channel,
      daysAgo,
      minute: BEGIN_MINUTE[channel] + daysAgo * 7,
      tookSeconds: channel === 'sms' ? tookSeconds(daysAgo) : 2,
      messages: Array.from({ length: COUNTS[channel] }, (_, n) =>
        wantedOf[channel](daysAgo * COUNTS[channel] + n),
      ),
    })),
  ).flat();
