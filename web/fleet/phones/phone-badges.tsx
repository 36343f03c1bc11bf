import { IconBrandWhatsapp, IconDeviceMobile, IconExternalLink, type TablerIcon } from '@tabler/icons-react';
import {
  hostAddress,
  isReleased,
  PHONE_CHANNELS,
  type PhoneHealth,
  TOP_UP_BELOW,
  VALIDITY_WARNING_DAYS,
} from '../../../contract/fleet/phone-rules.ts';
import { daysText } from '../../ground/i18n/days-text.ts';
import { formatCount } from '../../ground/i18n/format.ts';
import { t } from '../../ground/i18n/translate.ts';
import { Tag, type Tone } from '../../ground/ui/tag.tsx';
import classes from './phones.module.css';
import type { Phone } from './phones-query.ts';

const TONES: Record<Exclude<PhoneHealth, 'unknown'>, Tone> = { UP: 'good', DOWN: 'bad' };

const Health = ({ phone }: { phone: Phone }) => {
  if (isReleased(phone.remark)) return <Tag tone="plain">{t('phones.released')}</Tag>;
  const ways = PHONE_CHANNELS.flatMap((way) => {
    const health = phone.health[way];
    return health === 'unknown' ? [] : [{ way, health }];
  });
  if (ways.length === 0) return <Tag tone="plain">{t('phones.unknown')}</Tag>;
  return ways.map(({ way, health }) => (
    <Tag key={way} tone={TONES[health]}>
      {t(`phones.way.${way}`)} {health === 'UP' ? t('lane.up') : t('lane.down')}
    </Tag>
  ));
};

const Open = ({ href, label, icon: Icon }: { href: string | undefined; label: string; icon: TablerIcon }) =>
  href && (
    <a className={classes.open} href={href} target="_blank" rel="noreferrer" aria-label={label} title={label}>
      <Icon size={16} aria-hidden="true" />
    </a>
  );

const Links = ({ phone }: { phone: Phone }) => {
  const { name, simHost, port, whatsappHost, whatsappHostPort, whatsappWebHost } = phone;
  return (
    <>
      <Open
        href={hostAddress(simHost, port)}
        label={t('phones.open_sim', { phone: name })}
        icon={IconDeviceMobile}
      />
      <Open
        href={hostAddress(whatsappHost, whatsappHostPort)}
        label={t('phones.open_whatsapp', { phone: name })}
        icon={IconBrandWhatsapp}
      />
      <Open
        href={hostAddress(whatsappWebHost, '')}
        label={t('phones.open_web', { phone: name })}
        icon={IconExternalLink}
      />
    </>
  );
};

/** How a phone is: UP or DOWN, what it lacks, what it has sent, and where it is opened. */
export const PhoneBadges = ({ phone }: { phone: Phone }) => {
  const { estimatedBalance, validityDays, usage } = phone;
  return (
    <span className={classes.badges}>
      <Health phone={phone} />
      {estimatedBalance !== null && estimatedBalance < TOP_UP_BELOW && (
        <Tag tone="wait">{t('phones.topup')}</Tag>
      )}
      {validityDays !== null && (
        <Tag tone={validityDays <= VALIDITY_WARNING_DAYS ? 'bad' : 'plain'}>{daysText(validityDays)}</Tag>
      )}
      <span title={t('phones.sent_hint')}>
        {formatCount(usage.sentToday)}/{formatCount(usage.sentTotal)}
      </span>
      <Links phone={phone} />
    </span>
  );
};
