import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { PHONE_THROTTLES } from '../../../contract/fleet/phone-rules.ts';
import { call } from '../../ground/api/call.ts';
import { callFailure } from '../../ground/api/call-failure.ts';
import { queryClient } from '../../ground/api/query-client.ts';
import { useMay } from '../../ground/api/use-may.ts';
import { formatDateTime, regionName } from '../../ground/i18n/format.ts';
import { t } from '../../ground/i18n/translate.ts';
import { toastFailure, toastSuccess } from '../../ground/ui/feedback/toast.ts';
import { ConfirmDialog } from '../../ground/ui/forms/confirm-dialog.tsx';
import { useFocusBack } from '../../ground/ui/forms/use-focus-back.ts';
import { useSave } from '../../ground/ui/forms/use-save.ts';
import { Facts } from '../../ground/ui/layout/facts.tsx';
import list from '../../ground/ui/list.module.css';
import { EditLane } from './edit-lane.tsx';
import { LaneState } from './lane-state.tsx';
import { type Lane, lanesQuery } from './lanes-query.ts';
import { TestLane } from './test-lane.tsx';

type Mode = 'on' | 'paused' | 'draining';
const MODES: Mode[] = ['on', 'paused', 'draining'];

type Dialog = 'edit' | 'test' | 'remove';

const Buttons = ({ lane, onAsk }: { lane: Lane; onAsk: (dialog: Dialog, button: HTMLElement) => void }) => {
  const may = useMay();
  const [setting, setSetting] = useState<Mode>();
  const change = async (mode: Mode) => {
    setSetting(mode);
    try {
      await call('POST /admin/lanes/:laneId/mode', { params: { laneId: lane.id }, body: { mode } });
      toastSuccess(t('bulk.ok'));
      await queryClient.invalidateQueries(lanesQuery);
    } catch (error) {
      toastFailure(callFailure(error).message);
    } finally {
      setSetting(undefined);
    }
  };
  const asking =
    (dialog: Dialog) =>
    ({ currentTarget }: { currentTarget: HTMLElement }) =>
      onAsk(dialog, currentTarget);
  // A phone's ways out follow the phone.
  const ofPhone = lane.source === 'phone';
  return (
    <div className={list.tools}>
      {ofPhone && (
        <Link to="/dashboard/phone" search={{ q: lane.name.split('.')[0] ?? '' }}>
          {t('phones.title')}
        </Link>
      )}
      {!ofPhone &&
        may('POST /admin/lanes/:laneId/mode') &&
        MODES.filter((mode) => mode !== lane.mode).map((mode) => (
          <Button
            key={mode}
            size="xs"
            variant="default"
            loading={setting === mode}
            onClick={() => void change(mode)}
          >
            {t(`lanes.set.${mode}`)}
          </Button>
        ))}
      {!ofPhone && may('PUT /admin/lanes/:laneId') && (
        <Button size="xs" variant="default" onClick={asking('edit')}>
          {t('lanes.edit')}
        </Button>
      )}
      {may('POST /admin/lanes/:laneId/test') && (
        <Button size="xs" variant="default" onClick={asking('test')}>
          {t('lanes.test')}
        </Button>
      )}
      {lane.source === 'admin' && may('DELETE /admin/lanes/:laneId') && (
        <Button size="xs" color="red.9" onClick={asking('remove')}>
          {t('lanes.remove')}
        </Button>
      )}
    </div>
  );
};

/** The panel stays open although the list no longer has the lane, which may also be another admin's doing. */
const useIsGone = (lane: Lane): boolean => {
  const { data } = useQuery(lanesQuery);
  return data !== undefined && !data.lanes.some(({ id }) => id === lane.id);
};

const Actions = ({ lane }: { lane: Lane }) => {
  const isGone = useIsGone(lane);
  const [dialog, setDialog] = useState<Dialog>();
  // The list is read again while a dialog is open.
  const [openedWith, setOpenedWith] = useState(lane);
  const end = useRef<HTMLParagraphElement>(null);
  const focus = useFocusBack(end);
  const close = () => setDialog(undefined);
  const remove = useSave(async () => {
    await call('DELETE /admin/lanes/:laneId', { params: { laneId: lane.id } });
    return { message: t('lanes.removed') };
  });
  return (
    <>
      {isGone ? (
        <p ref={end} tabIndex={-1}>
          {t('lanes.removed')}
        </p>
      ) : (
        <Buttons
          lane={lane}
          onAsk={(asked, button) => {
            focus.remember(button);
            setDialog(asked);
            setOpenedWith(lane);
          }}
        />
      )}
      <ConfirmDialog
        opened={dialog === 'remove'}
        onClose={close}
        onClosed={focus.giveBack}
        onConfirm={async () => {
          await remove.mutateAsync(undefined).catch(() => undefined);
          close();
        }}
        title={t('lanes.remove_title', { lane: lane.name })}
        cancel={t('layout.cancel')}
        destructive
        confirm={t('lanes.remove')}
        close={t('layout.close')}
      >
        {t('lanes.remove_text')}
      </ConfirmDialog>
      <EditLane lane={openedWith} opened={dialog === 'edit'} onClose={close} />
      <TestLane lane={lane} opened={dialog === 'test'} onClose={close} />
    </>
  );
};

/** All that is known of a lane, and what can be done with it. */
export const LanePanel = ({ lane }: { lane: Lane }) => (
  <>
    <Actions lane={lane} />
    <Facts
      facts={[
        { label: t('phones.state'), value: <LaneState lane={lane} /> },
        { label: t('lanes.reason'), value: lane.stateReason },
        { label: t('lanes.since'), value: lane.stateAt && formatDateTime(lane.stateAt) },
        { label: t('lanes.route'), value: lane.route },
        { label: t('lanes.preference'), value: lane.preference },
        { label: t('messages.carrier'), value: lane.carrierName },
        { label: t('lanes.countries'), value: lane.countries.map(regionName).join(', ') },
        { label: t('lanes.cost'), value: lane.cost },
        {
          label: t('lanes.country_costs'),
          value: Object.entries(lane.countryCosts)
            .map(([country, cost]) => `${regionName(country)} ${cost}`)
            .join(', '),
        },
        ...PHONE_THROTTLES.map((throttle) => ({
          label: t('lanes.most_in', { span: t(`phones.throttle.${throttle}`) }),
          value: lane.throttle[throttle],
        })),
        { label: t('lanes.dedicated'), value: lane.dedicatedTo.join(', ') },
        { label: t('lanes.place'), value: lane.place },
        ...Object.entries(lane.settings).map(([name, value]) => ({
          label: name,
          value: value ?? t('lanes.secret'),
        })),
      ]}
    />
  </>
);
