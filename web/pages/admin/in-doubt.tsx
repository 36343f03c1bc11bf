import { useQuery } from '@tanstack/react-query';
import { profileQuery } from '../../api/profile-query.ts';
import { t } from '../../i18n/translate.ts';
import { InDoubtList } from '../../messages/in-doubt-list.tsx';
import list from '../../ui/list.module.css';
import { PageTitle } from '../../ui/page-title.tsx';
import { LazyMessageView } from '../lazy-message-view.tsx';

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
