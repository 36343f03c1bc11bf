import { Menu } from '@mantine/core';
import { IconChevronDown, IconLogout, IconSettings, IconUserCircle } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { RefObject } from 'react';
import { useStoredEmail } from '../ground/api/session.ts';
import { t } from '../ground/i18n/translate.ts';
import classes from './user-menu.module.css';

interface UserMenuProps {
  onLogout: () => void;
  /** The button that opens it. */
  ref: RefObject<HTMLButtonElement | null>;
}

export const UserMenu = ({ onLogout, ref }: UserMenuProps) => {
  const email = useStoredEmail() ?? '';
  return (
    <Menu position="bottom-end" width={220} withinPortal={false} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <button ref={ref} type="button" className={classes.target}>
          <IconUserCircle size={22} stroke={1.7} aria-hidden="true" />
          <span className="visually-hidden">{t('layout.account')}</span>
          <span className={classes.email} title={email}>
            {email}
          </span>
          <IconChevronDown size={16} aria-hidden="true" />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label className={classes.label}>{email}</Menu.Label>
        <Menu.Item component={Link} to="/dashboard/profile" leftSection={<IconUserCircle size={18} />}>
          {t('route.profile')}
        </Menu.Item>
        <Menu.Item component={Link} to="/dashboard/settings" leftSection={<IconSettings size={18} />}>
          {t('route.settings')}
        </Menu.Item>
        <Menu.Divider role="separator" />
        <Menu.Item leftSection={<IconLogout size={18} />} onClick={onLogout}>
          {t('logout.button')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
};
