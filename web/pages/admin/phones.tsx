import { useDebouncedCallback } from '@mantine/hooks';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { PhoneNoticeKind } from '../../../contract/fleet/phone-rules.ts';
import { PhonesList } from '../../fleet/phones/phones-list.tsx';
import { t } from '../../ground/i18n/translate.ts';
import { PageTitle } from '../../ground/ui/layout/page-title.tsx';
import { OnlyThese } from '../../ground/ui/only-these.tsx';

const route = getRouteApi('/dashboard/phone');
const DEBOUNCE_MS = 200;

const NOTICES: Record<PhoneNoticeKind, () => string> = {
  DOWN: () => t('overview.concern.phones_down'),
  VALIDITY: () => t('overview.concern.phones_validity'),
  TOPUP: () => t('overview.concern.phones_topup'),
};

/** For admins: the server refuses all other accounts. */
export const Phones = () => {
  const { q: asked = '', notice } = route.useSearch();
  const navigate = route.useNavigate();
  // The address follows a moment later: changing it with every key would slow the typing down.
  const [typed, setTyped] = useState<string>();
  const follow = useDebouncedCallback(async (next: string) => {
    await navigate({
      search: { ...(next && { q: next }), ...(notice && { notice }) },
      replace: true,
      resetScroll: false,
    });
    // Unless more was typed meanwhile, the address says it from now on.
    setTyped((known) => (known === next ? undefined : known));
  }, DEBOUNCE_MS);
  return (
    <div data-wide>
      <PageTitle title={t('phones.title')}>
        <Link to="/dashboard/phone/agents">{t('agents.title')}</Link>
      </PageTitle>
      {notice && (
        <OnlyThese
          what={NOTICES[notice]()}
          all={
            <Link to="/dashboard/phone" search={asked ? { q: asked } : {}}>
              {t('lists.show_all')}
            </Link>
          }
        />
      )}
      <PhonesList
        notice={notice}
        q={typed ?? asked}
        onSearch={(next) => {
          setTyped(next);
          follow(next);
        }}
      />
    </div>
  );
};
