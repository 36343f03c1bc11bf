import { t } from '../../ground/i18n/translate.ts';
import { Tag } from '../../ground/ui/tag.tsx';
import type { Lane } from './lanes-query.ts';

/** What the operator wants of a lane if it is not simply to send, otherwise whether it does. */
export const LaneState = ({ lane: { mode, up } }: { lane: Pick<Lane, 'mode' | 'up'> }) => (
  <>
    {mode !== 'on' && <Tag tone="wait">{t(`lane.mode.${mode}`)}</Tag>}{' '}
    {mode !== 'paused' && (
      <Tag tone={up ? 'good' : up === false ? 'bad' : 'plain'}>
        {up ? t('lane.up') : up === false ? t('lane.down') : t('phones.unknown')}
      </Tag>
    )}
  </>
);
