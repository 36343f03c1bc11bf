import type { Channel } from '../../../contract/ground/channels.ts';
import { SIMULATED_RECIPIENTS } from '../../../contract/traffic/simulator.ts';
import { t } from '../../ground/i18n/translate.ts';
import classes from './simulator-help.module.css';

/** Lists the recipients that the simulator treats specially, so that every outcome can be tried. */
export const SimulatorHelp = ({ channel }: { channel: Channel }) => {
  const email = channel === 'email';
  return (
    <details className={classes.help} data-email={email || undefined}>
      <summary>{t('send.simulator.title')}</summary>
      <p>{email ? t('send.simulator.by_address') : t('send.simulator.by_number')}</p>
      <dl>
        {SIMULATED_RECIPIENTS.map(({ kind, digits }) => (
          <div key={kind}>
            <dt>{email ? `${kind}@example.com` : `6111 ${digits}`}</dt>
            <dd>{t(`send.simulator.${kind}`)}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
};
