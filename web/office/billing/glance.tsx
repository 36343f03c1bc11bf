import { Skeleton } from '@mantine/core';
import { IconCoins, IconMessages, IconSend, IconX, type TablerIcon } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import { GLANCE_DAYS } from '../../../contract/office/office-values.ts';
import { formatAmount, formatCount } from '../../ground/i18n/format.ts';
import { t } from '../../ground/i18n/translate.ts';
import { LoadFailure } from '../../ground/ui/feedback/load-failure.tsx';
import { Panel } from '../../ground/ui/layout/panel.tsx';
import { glanceQuery } from './billing-queries.ts';
import classes from './glance.module.css';

/** The first is the sum of the two that follow. */
const FIGURES: { key: 'messages' | 'sent' | 'failed' | 'spent'; icon: TablerIcon }[] = [
  { key: 'messages', icon: IconMessages },
  { key: 'sent', icon: IconSend },
  { key: 'failed', icon: IconX },
  { key: 'spent', icon: IconCoins },
];

/** The last days in four figures. */
export const Glance = ({ accountId }: { accountId: AccountId }) => {
  const glance = useQuery(glanceQuery(accountId));
  return (
    <Panel title={t('glance.title', { days: GLANCE_DAYS })}>
      {glance.isError && (
        <LoadFailure
          text={t('glance.load_failed')}
          reason={glance.error.message}
          tryAgain={t('layout.try_again')}
          retrying={glance.isFetching}
          onRetry={glance.refetch}
        />
      )}
      {!glance.isError && (
        <dl className={classes.figures} aria-busy={glance.isPending}>
          {FIGURES.map(({ key, icon: Icon }) => (
            <div key={key} data-figure={key}>
              <dt>
                <Icon size={18} stroke={1.7} aria-hidden="true" />
                {t(`glance.${key}`)}
              </dt>
              <dd>
                {glance.data ? (
                  (key === 'spent' ? formatAmount : formatCount)(glance.data[key])
                ) : (
                  <Skeleton height={28} width="50%" my={4} />
                )}
                {key === 'sent' && glance.data && (
                  <small>{t('glance.delivered', { count: formatCount(glance.data.delivered) })}</small>
                )}
              </dd>
            </div>
          ))}
        </dl>
      )}
    </Panel>
  );
};
