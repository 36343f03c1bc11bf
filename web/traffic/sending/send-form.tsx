import { Button } from '@mantine/core';
import { IconFileSearch, IconSend } from '@tabler/icons-react';
import { type ComponentProps, type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import type { Channel } from '../../../contract/ground/channels.ts';
import type { SmsCountry } from '../../../contract/traffic/startup.ts';
import type { CallFailure } from '../../ground/api/call-failure.ts';
import type { UploadRequest } from '../../ground/api/csv-form.ts';
import { today } from '../../ground/i18n/format.ts';
import { t } from '../../ground/i18n/translate.ts';
import { FailureAlert } from '../../ground/ui/feedback/failure-alert.tsx';
import { Notice } from '../../ground/ui/feedback/notice.tsx';
import { ChannelChoice, isSameWay } from './channel-choice.tsx';
import { Cost } from './cost.tsx';
import { defaultCountry } from './country-select.tsx';
import { DeviceSelect } from './device-select.tsx';
import {
  cleared,
  type Draft,
  draftFaults,
  type Faults,
  refusedField,
  requestOf,
  senderOf,
  uploadRequestOf,
} from './draft.ts';
import { CsvFields } from './file/csv-fields.tsx';
import { CsvHelp } from './file/csv-help.tsx';
import { keepDraft, readCarriedFile, readDraft } from './kept-draft.ts';
import { deviceOf, type OfferedDevice } from './offered-devices.ts';
import type { OfferedWay } from './offered-ways.ts';
import { SEND_NOW, scheduleLabel } from './schedule.ts';
import { ScheduleFields } from './schedule-fields.tsx';
import { FIELDS, useFieldRefs } from './send-fields.ts';
import classes from './send-form.module.css';
import { SimulatorHelp } from './simulator-help.tsx';
import { SingleFields } from './single-fields.tsx';
import { TargetChoice } from './target-choice.tsx';
import { useSending } from './use-sending.ts';

interface SendFormProps {
  accountId: AccountId;
  ways: [OfferedWay, ...OfferedWay[]];
  devices: OfferedDevice[];
  countries: SmsCountry[];
  /** Why a file could not be checked. */
  uploadFailure: string | undefined;
  onUpload: (request: UploadRequest) => void;
  /** The recipient that a link named. */
  to?: { phone: string; channel: Channel | undefined } | undefined;
}

/** The channel and the field for the recipient that a link named; a number fits any channel except email. */
const addressed = (ways: SendFormProps['ways'], { phone, channel }: NonNullable<SendFormProps['to']>) => {
  const email = phone.includes('@');
  const fitting = ways.filter((way) => (way.channel === 'email') === email);
  const way = fitting.find((one) => one.channel === channel) ?? fitting[0] ?? ways[0];
  return { way, target: 'phone' as const, phone: email ? '' : phone, address: email ? phone : '' };
};

/** What was typed before, by a way that is still offered, or an empty form. */
const startWith = ({ accountId, ways, countries, to }: SendFormProps): Draft => {
  const kept = readDraft(accountId);
  return {
    target: 'phone',
    device: undefined,
    country: defaultCountry(countries),
    phone: '',
    address: '',
    subject: '',
    message: '',
    file: undefined,
    template: '',
    schedule: SEND_NOW,
    ...kept,
    way: ways.find((way) => kept.way && isSameWay(way, kept.way)) ?? ways[0],
    ...(to && addressed(ways, to)),
  };
};

/** What is typed, kept in the tab until it is sent. */
const useKeptDraft = (props: SendFormProps) => {
  const { accountId } = props;
  const [typed, setDraft] = useState(() => startWith(props));
  useEffect(() => keepDraft(accountId, typed), [accountId, typed]);
  useEffect(() => {
    void readCarriedFile(accountId).then(
      (file) => file && setDraft((now) => (now.file ? now : { ...now, file })),
    );
  }, [accountId]);
  return [typed, setDraft] as const;
};

const Simulated = ({ channel }: { channel: Channel }) => (
  <div className={classes.simulated}>
    <Notice icon="sandbox" title={t('send.test_title')} text={t('send.test_text')} />
    <SimulatorHelp channel={channel} />
  </div>
);

const OneMessageFields = (parts: ComponentProps<typeof SingleFields>) => (
  <>
    <SingleFields {...parts} />
    <ScheduleFields
      schedule={parts.draft.schedule}
      error={parts.faults.schedule}
      timeRef={parts.fields.schedule as RefObject<HTMLInputElement | null>}
      onChange={(schedule) => parts.change({ schedule })}
    />
  </>
);

const SendButton = ({ draft, sending }: { draft: Draft; sending: boolean }) => {
  const csv = draft.target === 'csv';
  const Icon = csv ? IconFileSearch : IconSend;
  return (
    <Button
      type="submit"
      size="md"
      className={classes.send}
      loading={sending && !csv}
      leftSection={<Icon size={18} aria-hidden="true" />}
    >
      {csv ? t('send.check_file') : (scheduleLabel(draft.schedule, today()) ?? t('send.button'))}
    </Button>
  );
};

interface FailureOptions {
  draft: Draft;
  fields: ReturnType<typeof useFieldRefs>;
  setFaults: (faults: Faults) => void;
}

/** Tells a failure at the field that it is about, or in the alert, and puts the focus there. */
const useFailureFocus = (failure: CallFailure | undefined, { draft, fields, setFaults }: FailureOptions) => {
  const alertRef = useRef<HTMLDivElement>(null);
  const refused = failure ? refusedField(failure.code, draft) : undefined;
  const show = useEffectEvent((message: string) => {
    if (refused) setFaults({ [refused]: message });
    (refused ? fields[refused] : alertRef).current?.focus();
  });
  const failed = failure?.message;
  useEffect(() => {
    if (failed !== undefined) show(failed);
  }, [failed]);
  return { refused, alertRef };
};

/** What the message costs to the recipient that was typed last, or how a file is written. */
const Aside = ({ draft, settled }: { draft: Draft; settled: string }) => {
  const { way, target, country, message } = draft;
  if (target === 'csv') return <CsvHelp channel={way.channel} />;
  const recipient = way.channel === 'email' ? draft.address : draft.phone;
  return (
    <Cost
      channel={way.channel}
      country={country}
      settledTarget={settled === recipient ? settled.trim() : ''}
      message={message}
      fromPhone={senderOf(draft)}
    />
  );
};

export const SendForm = (props: SendFormProps) => {
  const { accountId, ways, devices, countries, uploadFailure, onUpload, to } = props;
  const [typed, setDraft] = useKeptDraft(props);
  const withDevice = (draft: Draft) => ({ ...draft, device: deviceOf(draft.device, devices) });
  const draft = withDevice(typed);
  const [settled, setSettled] = useState(to?.phone ?? '');
  const [faults, setFaults] = useState<Faults>({});
  const { sending, failure: sendFailure, send } = useSending();
  const fields = useFieldRefs();
  const { way, target, device } = draft;
  const email = way.channel === 'email';
  const csv = target === 'csv';
  const chosen = way.channel === 'whatsapp' ? devices.find(({ value }) => value === device) : undefined;
  const test = (chosen ?? ways.find(({ channel }) => channel === way.channel))?.test ?? false;
  const failure = csv ? uploadFailure && { message: uploadFailure, unknown: false, code: '' } : sendFailure;
  const { refused, alertRef } = useFailureFocus(failure || undefined, { draft, fields, setFaults });

  const change = (changed: Partial<Draft>) => {
    setDraft((before) => ({ ...before, ...changed }));
    setFaults((before) =>
      Object.fromEntries(Object.entries(before).filter(([field]) => !Object.hasOwn(changed, field))),
    );
  };
  /** The faults of another channel or target may not apply to the chosen one. */
  const choose = (chosen: Pick<Draft, 'way'> | Pick<Draft, 'target'>) => {
    setFaults({});
    change(chosen);
  };

  /** What was typed on meanwhile stays. */
  const sendOne = async () => {
    const request = requestOf(draft);
    if (!(await send(request))) return;
    setDraft((now) =>
      JSON.stringify(requestOf(withDevice(now))) === JSON.stringify(request) ? cleared(now) : now,
    );
    setSettled('');
  };

  const submit = () => {
    const found = draftFaults(draft);
    setFaults(found);
    const first = FIELDS.find((field) => found[field]);
    const upload = uploadRequestOf(draft);
    if (first) fields[first].current?.focus();
    else if (!csv) void sendOne();
    else if (upload) onUpload(upload);
  };

  const parts = { draft, faults, fields, change, countries };
  return (
    <form
      noValidate
      className={classes.form}
      aria-label={t('send.title')}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <div className={classes.fields}>
        {test && <Simulated channel={way.channel} />}
        {failure && !refused && (
          <FailureAlert
            ref={alertRef}
            text={failure.message}
            {...(failure.unknown && { reason: t('send.unknown') })}
          />
        )}
        <ChannelChoice ways={ways} value={way} onChange={(chosen) => choose({ way: chosen })} />
        {way.channel === 'whatsapp' && (
          <DeviceSelect
            ref={fields.device as RefObject<HTMLSelectElement | null>}
            offered={devices}
            value={device}
            error={faults.device}
            onChange={(chosen) => change({ device: chosen })}
          />
        )}
        <TargetChoice email={email} value={target} onChange={(chosen) => choose({ target: chosen })} />
        {csv ? (
          <CsvFields {...parts} />
        ) : (
          <OneMessageFields {...parts} accountId={accountId} onSettled={setSettled} />
        )}
        <SendButton draft={draft} sending={sending} />
      </div>
      <Aside draft={draft} settled={settled} />
    </form>
  );
};
