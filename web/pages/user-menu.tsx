import { Menu } from '@mantine/core';
import { IconChevronDown, IconLogout, IconUserCircle } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useStoredEmail } from '../api/session.ts';
import { t } from '../i18n/translate.ts';
import classes from './user-menu.module.css';

export const UserMenu = ({ onLogout }: { onLogout: () => void }) => {
  const email = useStoredEmail() ?? '';
  return (
    <Menu position="bottom-end" width={220} withinPortal={false}>
      <Menu.Target>
        <button type="button" className={classes.target}>
          <IconUserCircle size={22} stroke={1.7} aria-hidden="true" />
          <span className="visually-hidden">{t('layout.account')}</span>
          <span className={classes.email} title={email}>
            {email}
          </span>
          <IconChevronDown size={16} aria-hidden="true" />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item component={Link} to="/dashboard/profile" leftSection={<IconUserCircle size={18} />}>
          {t('route.profile')}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={18} />} onClick={onLogout}>
          {t('logout.button')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
};
