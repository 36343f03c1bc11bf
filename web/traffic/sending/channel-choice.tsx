import { IconBrandWhatsapp, IconDeviceMobileMessage, IconMail, type TablerIcon } from '@tabler/icons-react';
import { useId } from 'react';
import type { Channel } from '../../../contract/ground/channels.ts';
import { t } from '../../ground/i18n/translate.ts';
import classes from './channel-choice.module.css';
import type { Way } from './draft.ts';

const ICONS: Record<Channel, TablerIcon> = {
  sms: IconDeviceMobileMessage,
  whatsapp: IconBrandWhatsapp,
  email: IconMail,
};

const labelOf = ({ channel, fromPhone }: Way) => {
  if (!fromPhone) return t(`send.channel.${channel}`);
  return channel === 'email'
    ? t('send.own_address', { address: fromPhone })
    : t('send.dedicated', { phone: fromPhone });
};

export const isSameWay = (one: Way, other: Way) =>
  one.channel === other.channel && one.fromPhone === other.fromPhone;

interface ChannelChoiceProps {
  ways: Way[];
  value: Way;
  onChange: (way: Way) => void;
}

export const ChannelChoice = ({ ways, value, onChange }: ChannelChoiceProps) => {
  const name = useId();
  return (
    <fieldset className={classes.choice}>
      <legend>{t('send.channel')}</legend>
      <div className={classes.ways}>
        {ways.map((way) => {
          const Icon = ICONS[way.channel];
          return (
            <label key={`${way.channel} ${way.fromPhone ?? ''}`} className={classes.way}>
              <input
                type="radio"
                name={name}
                checked={isSameWay(way, value)}
                onChange={() => onChange(way)}
              />
              <Icon size={20} stroke={1.7} aria-hidden="true" />
              {labelOf(way)}
            </label>
          );
        })}
      </div>
    </fieldset>
  );
};
