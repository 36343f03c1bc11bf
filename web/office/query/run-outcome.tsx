import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { QUERY_ROW_LIMIT } from '../../../contract/office/office-values.ts';
import { formatCount } from '../../ground/i18n/format.ts';
import { t } from '../../ground/i18n/translate.ts';
import { FailureAlert } from '../../ground/ui/feedback/failure-alert.tsx';
import { ExplainTree } from './explain-tree.tsx';
import { standingQuery } from './query-queries.ts';
import classes from './result.module.css';
import { ResultChart } from './result-chart.tsx';
import { ResultList } from './result-list.tsx';
import type { StatementRun } from './use-run.ts';

/** What has become of the last run. */
export const RunOutcome = ({ run }: { run: StatementRun }) => {
  // Of one answer: the next one begins as a table.
  const [chartedId, setChartedId] = useState<number>();
  const { data: standing } = useQuery(standingQuery);
  // What goes on in its database is told for as long as it does, also to whoever opens the page anew.
  if (run.kind === 'lingering' || (run.kind === 'none' && standing?.lingering.length)) return null;
  if (run.kind === 'failed') return <FailureAlert text={run.message} />;
  if (run.kind !== 'done')
    return <p role="status">{run.kind === 'running' ? t('qf.running') : t('qf.nothing_yet')}</p>;
  const { result, explained, id } = run;
  const charted = chartedId === id;
  return (
    <>
      <div className={classes.status}>
        <span role="status">
          {t('qf.summary', { rows: formatCount(result.rows.length), ms: formatCount(result.elapsed_ms) })}
          {result.limited &&
            result.rows.length >= QUERY_ROW_LIMIT &&
            ` ${t('qf.limited', { limit: formatCount(QUERY_ROW_LIMIT) })}`}
          {result.again && ` ${t('qf.again')}`}
          {result.truncated && ` ${t('qf.truncated')}`}
        </span>
        {!explained && (
          <Button
            size="compact-sm"
            variant="default"
            aria-pressed={charted}
            onClick={() => setChartedId(charted ? undefined : id)}
          >
            {charted ? t('qf.as_table') : t('qf.as_chart')}
          </Button>
        )}
      </div>
      {explained && <ExplainTree result={result} />}
      {!explained && charted && <ResultChart key={id} result={result} />}
      {!explained && !charted && <ResultList result={result} id={id} />}
    </>
  );
};
