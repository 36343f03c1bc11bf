import { useDebouncedCallback } from '@mantine/hooks';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { t } from '../../i18n/translate.ts';
import { PhonesList } from '../../phones/phones-list.tsx';
import { PageTitle } from '../../ui/page-title.tsx';

const route = getRouteApi('/dashboard/phone');
const DEBOUNCE_MS = 200;

/** For admins: the server refuses all other accounts. */
export const Phones = () => {
  const { q: asked = '' } = route.useSearch();
  const navigate = route.useNavigate();
  const [q, setQ] = useState(asked);
  // The address follows a moment later: changing it with every key would slow the typing down.
  const follow = useDebouncedCallback((next: string) => {
    void navigate({ search: next ? { q: next } : {}, replace: true, resetScroll: false });
  }, DEBOUNCE_MS);
  return (
    <div data-wide>
      <PageTitle title={t('phones.title')} />
      <PhonesList
        q={q}
        onSearch={(next) => {
          setQ(next);
          follow(next);
        }}
      />
    </div>
  );
};
