import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { formatTime } from '../../ground/i18n/format.ts';
import { t } from '../../ground/i18n/translate.ts';
import { Notice } from '../../ground/ui/feedback/notice.tsx';
import { standingQuery, zonesQuery } from './query-queries.ts';

/** What stands in the way of the next query, for as long as it does, and that it no longer does. */
export const Standing = () => {
  const { data: standing } = useQuery(standingQuery);
  const { data: zones } = useQuery(zonesQuery);
  const [gone, setGone] = useState(false);
  const count = standing?.lingering.length ?? 0;
  const former = useRef(0);
  useEffect(() => {
    if (count > 0) setGone(false);
    else if (former.current > 0) setGone(true);
    former.current = count;
  }, [count]);
  if (!standing) return null;
  return (
    <>
      {standing.lingering.map(({ zone_id, since }) => (
        <Notice
          key={since}
          alert
          title={t('qf.lingering', {
            zone: zones?.find(({ id }) => id === zone_id)?.name ?? zone_id,
            since: formatTime(since),
          })}
          text={t('qf.lingering_text')}
        />
      ))}
      {gone && <p role="status">{t('qf.lingering_gone')}</p>}
      {standing.withheldUntil && (
        <Notice
          alert
          title={t('qf.withheld_until', { until: formatTime(standing.withheldUntil) })}
          text={t('qf.withheld_text')}
        />
      )}
    </>
  );
};
