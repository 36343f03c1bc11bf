import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import type { AccountId } from '../../../../contract/customer/accounts.ts';
import { isDeviceId } from '../../../../contract/fleet/devices.ts';
import { hostAddress } from '../../../../contract/fleet/phone-rules.ts';
import type { Language } from '../../../../contract/ground/constants.ts';
import { numberFromMicros } from '../../../../contract/ground/money.ts';
import type { InboundMedia } from '../../../../contract/traffic/message-content.ts';
import type { MessageRecord } from '../../../../contract/traffic/message-search.ts';
import type { MessageId } from '../../../../contract/traffic/messages.ts';
import { readEmails } from '../../../customer/accounts/index.ts';
import type { Db } from '../../../ground/postgres/index.ts';
import { readMediaFacts } from '../../media/index.ts';
import type { FoundMessage } from '../search/search-store.ts';
import { readContactNames } from './contact-names.ts';
import { readTags } from './tags.ts';
import { outcomeReason } from './view-outcome.ts';

/** A number's country code and the rest; an address or a name has no code. */
const split = (party: string | null): { code: string; number: string } => {
  const parsed = party?.startsWith('+') ? parsePhoneNumberFromString(party) : undefined;
  return parsed
    ? { code: `+${parsed.countryCallingCode}`, number: parsed.nationalNumber }
    : { code: '', number: party ?? '' };
};

const iso = (moment: Date | null): string | null => moment?.toISOString() ?? null;

/** Seconds until it was sent or ended, or until now while it waits; none before its time. */
const durationOf = (found: FoundMessage): number | null => {
  const begun = (found.scheduledAt ?? found.createdAt).getTime();
  if (found.type === 'incoming' || (found.status === 'PENDING' && begun > Date.now())) return null;
  const ended = found.sentAt ?? (found.status === 'PENDING' ? new Date() : found.updatedAt);
  return Math.max(0, Math.round((ended.getTime() - begun) / 1_000));
};

type MediaFacts = Awaited<ReturnType<typeof readMediaFacts>>;

/** What is stored with the message, and what became of the file. */
const viewMedia = ({ id, kind, mimeType, fileName }: InboundMedia, facts: MediaFacts) => {
  const { bytes = null, state = 'REMOVED' } = facts.get(id) ?? {};
  return { _id: id, kind, mimeType, fileName, bytes: bytes === null ? null : Number(bytes), state };
};

/** Content besides its text; WhatsApp's own fields for its messages only. */
const viewContent = ({ channel, content, waba, providerMessageId }: FoundMessage, facts: MediaFacts) => {
  const { quotedMessage, image, file, fileName, video, template, media, sessionSince } = content ?? {};
  return {
    quotedMessage: quotedMessage ?? null,
    image: image ?? null,
    file: file ?? null,
    fileName: fileName ?? null,
    video: video ?? null,
    templateName: template?.name ?? null,
    media: media ? viewMedia(media, facts) : null,
    WABA: waba || null,
    session: sessionSince !== undefined,
    sessionSince: sessionSince ?? null,
    waMessageId: channel === 'whatsapp' ? providerMessageId : null,
  };
};

interface Reader {
  admin: boolean;
  language: Language;
}

/** Where a phone is reached, as its inventory says. */
interface PhoneHosts {
  simHost: string;
  port: string;
  whatsappHost: string;
  whatsappHostPort: string;
  whatsappWebHost: string;
}

export interface ViewDeps {
  db: Db;
  readPhoneHosts: (db: Db, phoneIds: string[]) => Promise<ReadonlyMap<string, PhoneHosts>>;
}

interface Facts {
  emails: ReadonlyMap<AccountId, string>;
  nameOf: Awaited<ReturnType<typeof readContactNames>>;
  media: MediaFacts;
  tags: ReadonlyMap<MessageId, string[]>;
  hosts: ReadonlyMap<string, PhoneHosts>;
}

/** Where the screen of the phone that has it is opened. */
const remoteDesktop = ({ phoneId, channel }: FoundMessage, hosts: Facts['hosts']): string | null => {
  const phone = phoneId === null ? undefined : hosts.get(phoneId);
  if (!phone) return null;
  const { simHost, port, whatsappHost, whatsappHostPort, whatsappWebHost } = phone;
  const address =
    channel === 'whatsapp'
      ? (hostAddress(whatsappHost, whatsappHostPort) ?? hostAddress(whatsappWebHost, ''))
      : hostAddress(simHost, port);
  return address ?? null;
};

const viewMessage = (
  found: FoundMessage,
  { admin, language }: Reader,
  { media, tags, hosts, emails, nameOf }: Facts,
): MessageRecord => {
  const isOfDevice = found.sender !== null && isDeviceId(found.sender);
  // What names no number is from that of the lane that has it, such as a phone's.
  const isLanes = isOfDevice || (found.type === 'outgoing' && found.sender === null);
  const sender = isLanes ? found.laneSender : found.sender;
  const [to, from] = [split(found.recipient), split(sender)];
  const reason = outcomeReason(found, language);
  // The operator's phones are no customer's business.
  const shownPhone = (name: string | null) => (admin && name) || null;
  return {
    _id: found.id,
    batchId: found.batchId,
    accountId: found.accountId,
    accountEmail: admin ? (emails.get(found.accountId) ?? null) : null,
    contactName: nameOf(found),
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
    identifier: found.identifier,
    reason,
    errorCode: found.errorCode,
    createdAt: found.createdAt.toISOString(),
    updatedAt: found.updatedAt.toISOString(),
    sendAt: iso(found.scheduledAt),
    sentAt: iso(found.sentAt),
    deliveredAt: iso(found.deliveredAt),
    readAt: iso(found.readAt),
    duration: durationOf(found),
    carrierName: found.carrier ?? '',
    ...viewContent(found, media),
    tags: tags.get(found.id) ?? [],
    job: {
      _id: found.id,
      phoneId: admin ? found.phoneId : null,
      phoneName: admin ? found.phoneName || null : null,
      remoteDesktop: admin ? remoteDesktop(found, hosts) : null,
      deviceId: found.device ?? (isOfDevice ? found.sender : shownPhone(found.phoneName)),
      originalDeviceId: isDeviceId(found.originalDevice ?? '')
        ? found.originalDevice
        : shownPhone(found.originalDevice),
      method: admin ? found.method || null : null,
      requestNewChatAt: found.newChatAt && new Date(found.newChatAt).toISOString(),
      reason,
      updatedAt: found.updatedAt.toISOString(),
      provider: admin ? found.provider : null,
      providerMessageId: admin ? found.providerMessageId : null,
    },
  };
};

export const viewMessages = async (
  { db, readPhoneHosts }: ViewDeps,
  found: FoundMessage[],
  reader: Reader,
): Promise<MessageRecord[]> => {
  const media = await readMediaFacts(
    db,
    found.filter(({ content }) => content?.media).map(({ id }) => id),
  );
  const accounts = [...new Set(found.map(({ accountId }) => accountId))];
  const facts = {
    media,
    nameOf: await readContactNames(db, found),
    emails: await readEmails(db, reader.admin ? accounts : []),
    tags: reader.admin ? await readTags(db, found) : new Map<MessageId, string[]>(),
    hosts: await readPhoneHosts(db, reader.admin ? found.flatMap(({ phoneId }) => phoneId ?? []) : []),
  };
  return found.map((one) => viewMessage(one, reader, facts));
};
