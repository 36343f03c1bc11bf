import { Button } from '@mantine/core';
import { IconFileDownload } from '@tabler/icons-react';
import { useQueries, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { keepFile } from '../../../ground/api/download.ts';
import { t } from '../../../ground/i18n/translate.ts';
import { Panel } from '../../../ground/ui/layout/panel.tsx';
import { sentMessageQuery, sentQuery } from '../sending-queries.ts';
import { ResultTable } from './result-table.tsx';
import { resultsCsv, type SentRow } from './results-csv.ts';

const ExportButton = ({ results }: { results: SentRow[] }) => (
  <Button
    variant="default"
    leftSection={<IconFileDownload size={18} aria-hidden="true" />}
    onClick={() => keepFile(new Blob([resultsCsv(results)], { type: 'text/csv' }), 'sent-messages.csv')}
  >
    {t('send.export')}
  </Button>
);

/**
 * The messages sent from this page, the latest first; each status is polled until it is final. The title takes the focus
 * when a message is added.
 */
export const Results = () => {
  const { data: sent = [] } = useQuery(sentQuery);
  const messages = useQueries({ queries: sent.map(({ _id }) => sentMessageQuery(_id)) });
  const title = useRef<HTMLHeadingElement>(null);
  const latest = sent[0]?._id;
  const [shown, setShown] = useState(latest);
  useEffect(() => {
    if (latest === shown) return;
    setShown(latest);
    title.current?.focus();
    title.current?.scrollIntoView({ block: 'nearest' });
  }, [latest, shown]);
  if (sent.length === 0) return null;
  const results = sent.map((one, index) => ({ sent: one, message: messages[index]?.data?.value }));
  return (
    <Panel title={t('send.result')} titleRef={title} tools={<ExportButton results={results} />}>
      <ResultTable results={results} />
    </Panel>
  );
};
