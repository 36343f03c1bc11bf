import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { t } from '../../ground/i18n/translate.ts';
import { LoadFailure } from '../../ground/ui/feedback/load-failure.tsx';
import { Notice } from '../../ground/ui/feedback/notice.tsx';
import { PageTitle } from '../../ground/ui/layout/page-title.tsx';
import { Panel } from '../../ground/ui/layout/panel.tsx';
import list from '../../ground/ui/list.module.css';
import { LogTable } from '../../office/retention/log-table.tsx';
import { type Retention as Answer, retentionQuery } from '../../office/retention/retention-query.ts';
import { RulesTable } from '../../office/retention/rules-table.tsx';
import classes from './retention.module.css';

const Shown = ({ answer: { mode, rules, log } }: { answer: Answer }) => (
  <div className={classes.panels}>
    {mode !== 'on' && (
      <Notice
        title={mode === 'off' ? t('retention.is_off') : t('retention.is_dry')}
        text={t('retention.set')}
      />
    )}
    <Panel title={t('retention.rules')}>
      <p className={list.hint}>{t('retention.hint')}</p>
      <RulesTable rules={rules} />
    </Panel>
    <Panel title={t('retention.log')}>
      <LogTable log={log} />
    </Panel>
  </div>
);

/** For admins: the server refuses all other accounts. */
export const Retention = () => {
  const retention = useQuery({ ...retentionQuery, refetchOnMount: 'always' });
  return (
    <>
      <PageTitle title={t('retention.title')} />
      {retention.isPending && <Skeleton height={420} radius="md" />}
      {retention.isError && (
        <LoadFailure
          text={t('retention.failed')}
          reason={retention.error.message}
          tryAgain={t('layout.try_again')}
          retrying={retention.isFetching}
          onRetry={retention.refetch}
        />
      )}
      {retention.data && <Shown answer={retention.data} />}
    </>
  );
};
