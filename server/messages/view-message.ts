import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import type { MessageRecord } from '../../contract/message-search.ts';
import { numberFromMicros } from '../../contract/money.ts';
import type { FoundMessage } from './search-store.ts';

/** A number's country code and the rest; an address or a name has no code. */
const split = (party: string | null): { code: string; number: string } => {
  const parsed = party?.startsWith('+') ? parsePhoneNumberFromString(party) : undefined;
  return parsed
    ? { code: `+${parsed.countryCallingCode}`, number: parsed.nationalNumber }
    : { code: '', number: party ?? '' };
};

const iso = (moment: Date | null): string | null => moment?.toISOString() ?? null;

/** Seconds until it was sent or ended, or until now while it waits. */
const durationOf = (found: FoundMessage): number | null => {
  if (found.type === 'incoming') return null;
  const begun = (found.scheduledAt ?? found.createdAt).getTime();
  const ended = found.sentAt ?? (found.status === 'PENDING' ? new Date() : found.updatedAt);
  return Math.max(0, Math.round((ended.getTime() - begun) / 1_000));
};

/** Content besides its text; WhatsApp's own fields for its messages only. */
const viewContent = ({ channel, content, waba, providerMessageId }: FoundMessage) => {
  const { quotedMessage, image, file, fileName, video, template, media, sessionSince } = content ?? {};
  return {
    quotedMessage: quotedMessage ?? null,
    image: image ?? null,
    file: file ?? null,
    fileName: fileName ?? null,
    video: video ?? null,
    templateName: template?.name ?? null,
    media: media
      ? { _id: media.id, kind: media.kind, mimeType: media.mimeType, fileName: media.fileName }
      : null,
    WABA: waba || null,
    session: sessionSince !== undefined,
    sessionSince: sessionSince ?? null,
    waMessageId: channel === 'whatsapp' ? providerMessageId : null,
  };
};

export const viewMessage = (found: FoundMessage, { admin }: { admin: boolean }): MessageRecord => {
  const [to, from] = [split(found.recipient), split(found.sender)];
  return {
    _id: found.id,
    batchId: found.batchId,
    accountId: found.accountId,
    type: found.type,
    channel: found.channel,
    status: found.status,
    phoneCountryCode: to.code,
    phoneNumber: to.number,
    fromPhoneCountryCode: from.code,
    fromPhoneNumber: from.number,
    message: found.message,
    subject: found.subject,
    segment: found.segment,
    price: numberFromMicros(found.priceMicros),
    currency: 'USD',
    test: found.test,
    reason: found.reason,
    errorCode: found.errorCode,
    createdAt: found.createdAt.toISOString(),
    updatedAt: found.updatedAt.toISOString(),
    sendAt: iso(found.scheduledAt),
    sentAt: iso(found.sentAt),
    deliveredAt: iso(found.deliveredAt),
    readAt: iso(found.readAt),
    duration: durationOf(found),
    carrierName: found.carrier ?? '',
    ...viewContent(found),
    tags: [],
    job: {
      _id: found.id,
      phoneId: null,
      deviceId: null,
      method: null,
      provider: admin ? found.provider : null,
      providerMessageId: admin ? found.providerMessageId : null,
    },
  };
};
