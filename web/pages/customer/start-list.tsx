import { Button } from '@mantine/core';
import { IconCircle, IconCircleCheckFilled } from '@tabler/icons-react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, type LinkProps } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { Profile } from '../../../contract/customer/accounts.ts';
import { apiCallsQuery } from '../../customer/integration/integration-queries.ts';
import { paymentsQuery } from '../../customer/wallet/wallet-queries.ts';
import { t } from '../../ground/i18n/translate.ts';
import { Panel } from '../../ground/ui/layout/panel.tsx';
import { glanceQuery } from '../../office/billing/billing-queries.ts';
import classes from './start-list.module.css';

const STEPS = ['topUp', 'send', 'integrate'] as const;
type Step = (typeof STEPS)[number];

const TEXTS: Record<Step, { title: () => string; text: () => string; to: LinkProps['to'] }> = {
  topUp: {
    title: () => t('start.top_up'),
    text: () => t('start.top_up_text'),
    to: '/dashboard/payments',
  },
  send: { title: () => t('start.send'), text: () => t('start.send_text'), to: '/dashboard/messages/send' },
  integrate: {
    title: () => t('start.integrate'),
    text: () => t('start.integrate_text'),
    to: '/dashboard/integration',
  },
};

const keyOf = (accountId: string) => `started:${accountId}`;
/** Calls are listed for a day and figures for a month: a step that was done stays done. */
const readDone = (accountId: string): Step[] =>
  STEPS.filter((step) => localStorage.getItem(keyOf(accountId))?.split(',').includes(step));

const useDone = ({ _id: accountId, balance, setting }: Profile): Step[] => {
  const payments = useInfiniteQuery(paymentsQuery(accountId)).data?.pages[0]?.payments ?? [];
  const sent = useQuery(glanceQuery(accountId)).data?.sent ?? 0;
  const calls = useInfiniteQuery(apiCallsQuery(accountId, undefined)).data?.pages[0]?.total ?? 0;
  const found: Record<Step, boolean> = {
    topUp: balance > 0 || payments.some(({ status }) => status === 'SUCCESS'),
    send: sent > 0,
    integrate: calls > 0 || setting.webhook !== '',
  };
  const known = readDone(accountId);
  const done = STEPS.filter((step) => known.includes(step) || found[step]);
  const list = done.join();
  useEffect(() => localStorage.setItem(keyOf(accountId), list), [accountId, list]);
  return done;
};

const Steps = ({ profile, onHide }: { profile: Profile; onHide: () => void }) => {
  const done = useDone(profile);
  if (done.length === STEPS.length) return null;
  return (
    <Panel
      title={t('start.title')}
      tools={
        <Button variant="default" size="compact-md" onClick={onHide}>
          {t('start.hide')}
        </Button>
      }
    >
      <ol className={classes.steps}>
        {STEPS.map((step) => {
          const { title, text, to } = TEXTS[step];
          const Icon = done.includes(step) ? IconCircleCheckFilled : IconCircle;
          return (
            <li key={step} data-done={done.includes(step) || undefined}>
              <Icon size={22} aria-hidden="true" />
              <div>
                <Link to={to}>{title()}</Link>
                {done.includes(step) && <span className="visually-hidden"> {t('start.done')}</span>}
                <p>{text()}</p>
              </div>
            </li>
          );
        })}
      </ol>
    </Panel>
  );
};

/** What a new customer does first, until it is done. */
export const StartList = ({ profile }: { profile: Profile }) => {
  const [over, setOver] = useState(() => readDone(profile._id).length === STEPS.length);
  if (over || profile.admin) return null;
  const hide = () => {
    localStorage.setItem(keyOf(profile._id), STEPS.join());
    setOver(true);
  };
  return <Steps profile={profile} onHide={hide} />;
};
