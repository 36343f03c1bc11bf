import { getRouteApi } from '@tanstack/react-router';
import type { MessageId } from '../../../contract/messages.ts';
import { t } from '../../i18n/translate.ts';
import { LaneQueue as Queue } from '../../messages/lane-queue.tsx';
import { PageTitle } from '../../ui/page-title.tsx';

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
