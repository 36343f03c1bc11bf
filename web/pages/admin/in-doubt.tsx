import { useQuery } from '@tanstack/react-query';
import { profileQuery } from '../../ground/api/profile-query.ts';
import { t } from '../../ground/i18n/translate.ts';
import { PageTitle } from '../../ground/ui/layout/page-title.tsx';
import list from '../../ground/ui/list.module.css';
import { InDoubtList } from '../../traffic/messages/doubt/in-doubt-list.tsx';
import { LazyMessageView } from '../customer/lazy-message-view.tsx';

/** For admins: the server refuses all other accounts. */
export const InDoubt = () => {
  const { data: profile } = useQuery(profileQuery);
  return (
    <div data-wide>
      <PageTitle title={t('doubt.title')} />
      <p className={list.hint}>{t('doubt.hint')}</p>
      {profile && (
        <InDoubtList
          accountId={profile._id}
          details={({ _id }) => <LazyMessageView messageId={_id} reader={profile} />}
        />
      )}
    </div>
  );
};
