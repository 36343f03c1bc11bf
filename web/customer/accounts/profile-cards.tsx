import { Skeleton } from '@mantine/core';
import { IconCalendar, IconCoins, IconId, IconMail, IconWallet, type TablerIcon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Answer } from '../../ground/api/call.ts';
import { formatAmount, formatDate } from '../../ground/i18n/format.ts';
import { t } from '../../ground/i18n/translate.ts';
import { CopyButton } from '../../ground/ui/copy-button.tsx';
import { toastSuccess } from '../../ground/ui/feedback/toast.ts';
import classes from './profile-cards.module.css';

type Profile = Answer<'GET /account/me/profile'>;

interface Card {
  key: string;
  icon: TablerIcon;
  label: () => string;
  value: (profile: Profile) => ReactNode;
}

const AccountIdValue = ({ id }: { id: string }) => (
  <span className={classes.withButton}>
    <code>{id}</code>
    <CopyButton
      value={id}
      label={t('profile.copy_account_id')}
      onCopied={() => toastSuccess(t('profile.copied', { text: id }))}
    />
  </span>
);

const CARDS: Card[] = [
  {
    key: 'balance',
    icon: IconWallet,
    label: () => t('profile.balance'),
    value: (profile) => formatAmount(profile.balance),
  },
  {
    key: 'currency',
    icon: IconCoins,
    label: () => t('profile.currency'),
    value: (profile) => profile.currency,
  },
  {
    key: 'id',
    icon: IconId,
    label: () => t('profile.account_id'),
    value: (profile) => <AccountIdValue id={profile._id} />,
  },
  { key: 'email', icon: IconMail, label: () => t('profile.email'), value: (profile) => profile.email },
  {
    key: 'created',
    icon: IconCalendar,
    label: () => t('profile.created'),
    value: (profile) => formatDate(profile.createdAt),
  },
];

/** Without a profile the cards are empty placeholders. */
export const ProfileCards = ({ profile }: { profile?: Profile }) => (
  <dl className={classes.cards} aria-busy={!profile}>
    {CARDS.map(({ key, icon: Icon, label, value }) => (
      <div key={key} className={classes.card} data-card={key}>
        <dt>
          <Icon size={20} stroke={1.7} aria-hidden="true" />
          {label()}
        </dt>
        <dd>{profile ? value(profile) : <Skeleton height={24} width="60%" my={6} />}</dd>
      </div>
    ))}
  </dl>
);
