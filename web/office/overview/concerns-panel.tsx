import { IconCircleCheck } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { formatCount, formatDateTime } from '../../ground/i18n/format.ts';
import { t } from '../../ground/i18n/translate.ts';
import { Panel } from '../../ground/ui/layout/panel.tsx';
import { Tag } from '../../ground/ui/tag.tsx';
import { ConcernAction } from './concern-action.tsx';
import classes from './overview.module.css';
import type { Concern } from './overview-query.ts';

interface ConcernsPanelProps {
  concerns: Concern[];
  /** Leads to the pages of the job queue. */
  jobs: ReactNode;
}

/** What needs a hand now, the most urgent first. */
export const ConcernsPanel = ({ concerns, jobs }: ConcernsPanelProps) => (
  <Panel title={t('overview.needs')}>
    {concerns.length === 0 ? (
      <p className={classes.well}>
        <IconCircleCheck size={26} stroke={1.7} aria-hidden="true" />
        {t('overview.all_well')}
      </p>
    ) : (
      <ul className={classes.concerns}>
        {concerns.map((concern) => (
          <li key={concern.kind}>
            <Tag tone={concern.kind.startsWith('phones_') || concern.kind === 'retention' ? 'wait' : 'bad'}>
              {formatCount(concern.count)}
            </Tag>
            <span className={classes.what}>
              {t(`overview.concern.${concern.kind}`)}
              <span className={classes.detail}>
                {concern.names.join(', ')}
                {concern.names.length > 0 && concern.since && ' · '}
                {concern.since && (
                  <span className={classes.since}>
                    {t('overview.since', { time: formatDateTime(concern.since) })}
                  </span>
                )}
              </span>
            </span>
            <ConcernAction concern={concern} jobs={jobs} />
          </li>
        ))}
      </ul>
    )}
  </Panel>
);
