import { formatCount } from '../../ground/i18n/format.ts';
import { t } from '../../ground/i18n/translate.ts';
import list from '../../ground/ui/list.module.css';
import { Tag } from '../../ground/ui/tag.tsx';
import classes from './agents.module.css';
import type { Agent } from './agents-query.ts';
import { MovedSim } from './moved-sim.tsx';

type Modem = Agent['modems'][number];

const facts = ({ name, driver, network, signal, reason, up }: Modem): string =>
  [
    t('agents.modem', { modem: name, driver }),
    network,
    signal === null ? '' : t('agents.signal', { percent: formatCount(signal) }),
    up ? '' : reason,
  ]
    .filter(Boolean)
    .join(' · ');

/** The modems of an agent, each with its phone and how it is. */
export const ModemList = ({ agent }: { agent: Agent }) => (
  <ul className={classes.modems}>
    {agent.modems.map((modem) => (
      <li key={modem.name} className={classes.modem}>
        <span className={list.strong}>{modem.phoneName || modem.name}</span>
        <Tag tone={modem.up ? 'good' : 'bad'}>{modem.up ? t('agents.up') : t('agents.down')}</Tag>
        {!modem.sending && !modem.moved && <Tag tone="wait">{t('agents.not_sending')}</Tag>}
        <span className={list.quiet}>{facts(modem)}</span>
        {modem.moved && <MovedSim agent={agent} modem={modem.name} moved={modem.moved} />}
      </li>
    ))}
  </ul>
);
