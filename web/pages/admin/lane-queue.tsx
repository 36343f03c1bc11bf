import { getRouteApi } from '@tanstack/react-router';
import type { MessageId } from '../../../contract/traffic/messages.ts';
import { t } from '../../ground/i18n/translate.ts';
import { PageTitle } from '../../ground/ui/layout/page-title.tsx';
import { LaneQueue as Queue } from '../../traffic/messages/lane-queue.tsx';

const route = getRouteApi('/dashboard/queue/$jobId');

/** For admins: the server refuses all other accounts. */
export const LaneQueue = () => {
  const { jobId } = route.useParams();
  return (
    <div data-wide>
      <PageTitle title={t('queue.title')} />
      <Queue jobId={jobId as MessageId} />
    </div>
  );
};
