import { useCallback, useEffect, useState } from 'react';
import controls from '../../ground/ui/controls.module.css';
import classes from '../../ground/ui/feedback/failure-page.module.css';
import { BrandMark } from '../../ground/ui/layout/brand-mark.tsx';

const PAUSE_MS = 5_000;

/**
 * Shown when the texts could not be loaded: the only page with texts of its own, in both languages. It tries again by
 * itself, so that a page which was opened while the server restarts needs no hand.
 */
export const StartupFailure = ({ onRetry }: { onRetry: () => Promise<void> }) => {
  const [trying, setTrying] = useState(false);
  const retry = useCallback(async () => {
    setTrying(true);
    await onRetry();
    setTrying(false);
  }, [onRetry]);
  useEffect(() => {
    if (trying) return;
    const timer = setTimeout(retry, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [trying, retry]);
  return (
    <main className={classes.page}>
      <div role="alert">
        <BrandMark size={56} className={classes.mark} />
        <h1>Posthorn cannot be reached right now.</h1>
        <p>Please check your connection and try again in a moment.</p>
        <div lang="zh-Hant-HK">
          <p className={classes.second}>暫時未能連接 Posthorn。</p>
          <p>請檢查網絡連線，稍後再試。</p>
        </div>
      </div>
      <button
        type="button"
        className={`${controls.primary} ${controls.large}`}
        disabled={trying}
        onClick={retry}
      >
        Try again <span lang="zh-Hant-HK">重試</span>
      </button>
    </main>
  );
};
