import { Button } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { ApiError } from '../../ground/api/api-error.ts';
import { t } from '../../ground/i18n/translate.ts';
import { FailureAlert } from '../../ground/ui/feedback/failure-alert.tsx';
import classes from '../../ground/ui/forms/form-fields.module.css';
import { activateOnce, forgetActivation, mayRetryActivation } from './activation.ts';

type State = 'running' | 'done' | { error: unknown };

/** Activates the account when the page opens and shows the progress; `done` is shown after success. */
export const ActivationProgress = ({ token, done }: { token: string; done: ReactNode }) => {
  const [state, setState] = useState<State>('running');
  useEffect(() => {
    if (state !== 'running') return;
    activateOnce(token).then(
      () => setState('done'),
      (error) => setState({ error }),
    );
  }, [token, state]);

  if (state === 'running') return <p role="status">{t('activate.running')}</p>;
  if (state === 'done') return done;
  const retry = () => {
    forgetActivation();
    setState('running');
  };
  return (
    <div className={classes.form}>
      <FailureAlert
        text={t('guest.error_occurred')}
        reason={state.error instanceof ApiError ? state.error.message : undefined}
      />
      {mayRetryActivation(state.error) && <Button onClick={retry}>{t('layout.try_again')}</Button>}
    </div>
  );
};
