import { useWindowEvent } from '@mantine/hooks';
import { IconChevronDown, IconChevronUp, IconX, type TablerIcon } from '@tabler/icons-react';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { t } from '../../i18n/translate.ts';
import controls from '../controls.module.css';
import classes from './side-panel.module.css';

interface SidePanelProps {
  title: string;
  /** Names the row, so that another one begins at the top. */
  id: string;
  /** Goes to the next row (1) or the one before (-1); undefined where there is none. */
  onStep: { next: (() => void) | undefined; previous: (() => void) | undefined };
  onClose: () => void;
  children: ReactNode;
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null;

interface StepProps {
  label: string;
  icon: TablerIcon;
  keys: string;
  onStep: (() => void) | undefined;
}

const Step = ({ label, icon: Icon, keys, onStep }: StepProps) => (
  <button
    type="button"
    className={controls.icon}
    aria-label={label}
    title={`${label} (${keys})`}
    aria-keyshortcuts={keys}
    aria-disabled={!onStep}
    onClick={onStep}
  >
    <Icon size={18} aria-hidden="true" />
  </button>
);

/** What a row is too short for, beside the list, which stays in use: j and k go from row to row, Escape closes. */
export const SidePanel = ({ title, id, onStep, onClose, children }: SidePanelProps) => {
  const titleId = useId();
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => {
    panel.current?.focus({ preventScroll: true });
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another row is read from its beginning.
  useEffect(() => {
    if (panel.current) panel.current.scrollTop = 0;
  }, [id]);

  useWindowEvent('keydown', (event) => {
    if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey) return;
    // A dialog that was opened from here has the keys.
    if (document.querySelector('[aria-modal="true"]')) return;
    if (event.key === 'Escape') onClose();
    else if (isTyping(event.target)) return;
    else if (event.key === 'j') onStep.next?.();
    else if (event.key === 'k') onStep.previous?.();
    else return;
    event.preventDefault();
  });

  return (
    <div ref={panel} className={classes.panel} role="dialog" aria-labelledby={titleId} tabIndex={-1}>
      <div className={classes.head}>
        <h2 id={titleId}>{title}</h2>
        <Step label={t('lists.previous')} icon={IconChevronUp} keys="k" onStep={onStep.previous} />
        <Step label={t('lists.next')} icon={IconChevronDown} keys="j" onStep={onStep.next} />
        <button
          type="button"
          className={controls.icon}
          aria-label={t('layout.close')}
          title={t('layout.close')}
          onClick={onClose}
        >
          <IconX size={18} aria-hidden="true" />
        </button>
      </div>
      <div key={id} className={classes.content}>
        {children}
      </div>
    </div>
  );
};
