import { Skeleton } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useLocation, useRouter } from '@tanstack/react-router';
import type { MouseEvent } from 'react';
import type { MessageId } from '../../../contract/traffic/messages.ts';
import { profileQuery } from '../../ground/api/profile-query.ts';
import { mayCall } from '../../ground/api/use-may.ts';
import { t } from '../../ground/i18n/translate.ts';
import { LoadFailure } from '../../ground/ui/feedback/load-failure.tsx';
import { PageTitle } from '../../ground/ui/layout/page-title.tsx';
import classes from './message-details.module.css';
import { MessageView } from './message-view.tsx';
import { MessagesTabs } from './messages-tabs.tsx';

const route = getRouteApi('/dashboard/messages/details/$messageId');
const LIST = '/dashboard/messages';

/** A link back to the list with the filters that it had. */
const Back = () => {
  const router = useRouter();
  const list = useLocation({ select: ({ state }) => state.list });
  const href = list?.startsWith(LIST) ? list : LIST;
  const leave = (event: MouseEvent) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    void router.navigate({ href });
  };
  return (
    <a href={href} className={classes.back} onClick={leave}>
      <IconArrowLeft size={18} aria-hidden="true" />
      {t('details.back')}
    </a>
  );
};

export const MessageDetails = () => {
  const { messageId } = route.useParams();
  const { data: profile, isError, error, isFetching, refetch } = useQuery(profileQuery);
  return (
    <>
      <PageTitle title={t('details.title')} />
      <MessagesTabs />
      <Back />
      {profile ? (
        <MessageView
          messageId={messageId as MessageId}
          reader={{ _id: profile._id, admin: mayCall(profile, 'GET /account/:accountId/messages') }}
        />
      ) : isError ? (
        <LoadFailure
          text={t('details.failed')}
          reason={error.message}
          tryAgain={t('layout.try_again')}
          retrying={isFetching}
          onRetry={refetch}
        />
      ) : (
        <Skeleton height={420} radius="md" />
      )}
    </>
  );
};
