import { IconFlask, IconInfoCircle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './notice.module.css';

const ICONS = { info: IconInfoCircle, sandbox: IconFlask };

interface NoticeProps {
  title: string;
  text?: string;
  icon?: keyof typeof ICONS;
  /** Whether screen readers announce it immediately. */
  alert?: boolean;
  /** What to do about it. */
  children?: ReactNode;
}

/** Something that the reader should know before going on. */
export const Notice = ({ title, text, icon = 'info', alert = false, children }: NoticeProps) => {
  const Icon = ICONS[icon];
  return (
    <div className={classes.notice} role={alert ? 'alert' : undefined}>
      <Icon size={22} stroke={1.8} aria-hidden="true" />
      <div>
        <p className={classes.title}>{title}</p>
        {text && <p>{text}</p>}
        {children}
      </div>
    </div>
  );
};
