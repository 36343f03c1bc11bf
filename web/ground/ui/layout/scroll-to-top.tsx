import { IconArrowUp } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import classes from './scroll-to-top.module.css';
import { focusContent } from './skip-link.tsx';

const THRESHOLD_PX = 100;
const DURATION_MS = 1000;

const easeInOut = (part: number) => (part < 0.5 ? 2 * part * part : 1 - (2 - 2 * part) ** 2 / 2);

const scrollToTop = () => {
  focusContent();
  const start = window.scrollY;
  const began = performance.now();
  const still = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
  const step = (now: number) => {
    const part = still ? 1 : Math.min(1, (now - began) / DURATION_MS);
    window.scrollTo({ top: start * (1 - easeInOut(part)), behavior: 'instant' });
    if (part < 1) requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
};

export const ScrollToTop = ({ label }: { label: string }) => {
  const [shown, setShown] = useState(false);
  useEffect(() => {
    const look = () => setShown(window.scrollY > THRESHOLD_PX);
    look();
    window.addEventListener('scroll', look, { passive: true });
    return () => window.removeEventListener('scroll', look);
  }, []);
  return (
    shown && (
      <button type="button" className={classes.button} aria-label={label} title={label} onClick={scrollToTop}>
        <IconArrowUp size={22} aria-hidden="true" />
      </button>
    )
  );
};
