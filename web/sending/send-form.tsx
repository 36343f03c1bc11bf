import { Button } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import { type RefObject, useEffect, useRef, useState } from 'react';
import type { AccountId } from '../../contract/accounts.ts';
import type { Channel } from '../../contract/messages.ts';
import type { SmsCountry } from '../../contract/startup.ts';
import type { UploadRequest } from '../api/csv-form.ts';
import { t } from '../i18n/translate.ts';
import { FailureAlert } from '../ui/failure-alert.tsx';
import { Notice } from '../ui/notice.tsx';
import { ChannelChoice } from './channel-choice.tsx';
import { Cost } from './cost.tsx';
import { defaultCountry } from './country-select.tsx';
import { CsvFields } from './csv-fields.tsx';
import { CsvHelp } from './csv-help.tsx';
import { DeviceSelect } from './device-select.tsx';
import { type Draft, type Faults, faultsOf, requestOf, uploadRequestOf } from './draft.ts';
import type { OfferedWay } from './offered-ways.ts';
import { SEND_NOW } from './schedule.ts';
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
  countries: SmsCountry[];
  /** Why a file could not be checked. */
  uploadFailure: string | undefined;
  onUpload: (request: UploadRequest) => void;
  /** The recipient that a link named. */
  to?: { phone: string; channel: Channel | undefined } | undefined;
}

/** The channel and the field for the recipient that a link named; a number fits any channel except email. */
const startWith = (ways: SendFormProps['ways'], to: SendFormProps['to']) => {
  const email = to?.phone.includes('@') ?? false;
  const way =
    ways.find(({ channel }) => channel === to?.channel && (channel === 'email') === email) ??
    ways.find(({ channel }) => to !== undefined && (channel === 'email') === email) ??
    ways[0];
  return { way, phone: email ? '' : (to?.phone ?? ''), address: email ? (to?.phone ?? '') : '' };
};

const newDraft = (start: Pick<Draft, 'way' | 'phone' | 'address'>, countries: SmsCountry[]): Draft => ({
  ...start,
  target: 'phone',
  device: '',
  country: defaultCountry(countries),
  subject: '',
  message: '',
  file: undefined,
  template: '',
  schedule: SEND_NOW,
});

export const SendForm = ({ accountId, ways, countries, uploadFailure, onUpload, to }: SendFormProps) => {
  const [draft, setDraft] = useState(() => newDraft(startWith(ways, to), countries));
  const [settled, setSettled] = useState(to?.phone ?? '');
  const [faults, setFaults] = useState<Faults>({});
  const { sending, failure: sendFailure, send } = useSending();
  const fields = useFieldRefs();
  const alertRef = useRef<HTMLDivElement>(null);
  const { way, target, device, country, message } = draft;
  const email = way.channel === 'email';
  const csv = target === 'csv';
  const recipient = email ? draft.address : draft.phone;
  const test = ways.find(({ channel }) => channel === way.channel)?.test ?? false;
  const failure = csv ? uploadFailure && { message: uploadFailure, unknown: false } : sendFailure;
  const failed = failure ? failure.message : undefined;

  useEffect(() => {
    if (failed !== undefined) alertRef.current?.focus();
  }, [failed]);

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

  const submit = () => {
    const found = faultsOf(draft);
    setFaults(found);
    const first = FIELDS.find((field) => found[field]);
    const upload = uploadRequestOf(draft);
    if (first) fields[first].current?.focus();
    else if (!csv) void send(requestOf(draft));
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
        {test && (
          <div className={classes.simulated}>
            <Notice icon="sandbox" title={t('send.test_title')} text={t('send.test_text')} />
            <SimulatorHelp channel={way.channel} />
          </div>
        )}
        {failure && (
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
            test={test}
            value={device}
            error={faults.device}
            onChange={(chosen) => change({ device: chosen })}
          />
        )}
        <TargetChoice email={email} value={target} onChange={(chosen) => choose({ target: chosen })} />
        {csv ? (
          <CsvFields {...parts} />
        ) : (
          <>
            <SingleFields {...parts} accountId={accountId} onSettled={setSettled} />
            <ScheduleFields
              schedule={draft.schedule}
              error={faults.schedule}
              timeRef={fields.schedule as RefObject<HTMLInputElement | null>}
              onChange={(schedule) => change({ schedule })}
            />
          </>
        )}
        <Button
          type="submit"
          size="md"
          className={classes.send}
          loading={sending && !csv}
          leftSection={<IconSend size={18} aria-hidden="true" />}
        >
          {t('send.button')}
        </Button>
      </div>
      {csv ? (
        <CsvHelp channel={way.channel} />
      ) : (
        <Cost
          channel={way.channel}
          country={country}
          settledTarget={settled === recipient ? settled.trim() : ''}
          message={message}
        />
      )}
    </form>
  );
};
