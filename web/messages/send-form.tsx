import { Button, NativeSelect, Textarea } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import { type RefObject, useEffect, useRef, useState } from 'react';
import type { AccountId } from '../../contract/accounts.ts';
import type { Channel } from '../../contract/messages.ts';
import { t } from '../i18n/translate.ts';
import { FailureAlert } from '../ui/failure-alert.tsx';
import { ANNOUNCED, TextField } from '../ui/form-fields.tsx';
import { Notice } from '../ui/notice.tsx';
import { ChannelChoice } from './channel-choice.tsx';
import { Cost } from './cost.tsx';
import { type Country, CountrySelect, defaultCountry } from './country-select.tsx';
import { type Draft, type DraftField, type Faults, faultsOf, requestOf } from './draft.ts';
import type { OfferedWay } from './offered-ways.ts';
import classes from './send-form.module.css';
import { TargetField } from './target-field.tsx';
import { useSending } from './use-sending.ts';

/** The only device so far; it is offered where a simulator takes the messages. */
const SIMULATOR = 'simulator';

interface SendFormProps {
  accountId: AccountId;
  ways: [OfferedWay, ...OfferedWay[]];
  countries: Country[];
  /** Whom a link asks to write to. */
  to?: { phone: string; channel: Channel | undefined } | undefined;
}

const startWith = (ways: SendFormProps['ways'], to: SendFormProps['to']) => {
  const email = to?.phone.includes('@') ?? false;
  const way =
    ways.find(({ channel }) => channel === to?.channel && (channel === 'email') === email) ??
    ways.find(({ channel }) => to !== undefined && (channel === 'email') === email) ??
    ways[0];
  return { way, phone: email ? '' : (to?.phone ?? ''), address: email ? (to?.phone ?? '') : '' };
};

const FIELDS: DraftField[] = ['device', 'phone', 'address', 'message'];

const useFields = (): Record<DraftField, RefObject<HTMLElement | null>> => ({
  device: useRef(null),
  phone: useRef(null),
  address: useRef(null),
  message: useRef(null),
});

export const SendForm = ({ accountId, ways, countries, to }: SendFormProps) => {
  const [draft, setDraft] = useState<Draft>({
    ...startWith(ways, to),
    device: '',
    country: defaultCountry(countries),
    subject: '',
    message: '',
  });
  const [settled, setSettled] = useState(to?.phone ?? '');
  const [faults, setFaults] = useState<Faults>({});
  const { sending, failure, send } = useSending();
  const fields = useFields();
  const alertRef = useRef<HTMLDivElement>(null);
  const { way, device, country, subject, message } = draft;
  const email = way.channel === 'email';
  const targetField = email ? 'address' : 'phone';
  const target = draft[targetField];
  const offered = ways.find(({ channel }) => channel === way.channel);

  useEffect(() => {
    if (failure) alertRef.current?.focus();
  }, [failure]);

  const change = (changed: Partial<Draft>) => {
    setDraft((before) => ({ ...before, ...changed }));
    setFaults((before) =>
      Object.fromEntries(Object.entries(before).filter(([field]) => !Object.hasOwn(changed, field))),
    );
  };

  const submit = () => {
    const found = faultsOf(draft);
    setFaults(found);
    const first = FIELDS.find((field) => found[field]);
    if (first) fields[first].current?.focus();
    else void send(requestOf(draft));
  };

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
        {offered?.test && <Notice icon="sandbox" title={t('send.test_title')} text={t('send.test_text')} />}
        {failure && (
          <FailureAlert
            ref={alertRef}
            text={failure.message}
            {...(failure.unknown && { reason: t('send.unknown') })}
          />
        )}
        <ChannelChoice
          ways={ways}
          value={way}
          onChange={(chosen) => {
            setFaults({});
            change({ way: chosen });
          }}
        />
        {way.channel === 'whatsapp' && (
          <NativeSelect
            ref={fields.device as RefObject<HTMLSelectElement | null>}
            size="md"
            label={t('send.device')}
            data={[
              { value: '', label: t('send.choose_device') },
              { value: SIMULATOR, label: t('send.simulator') },
            ]}
            value={device}
            error={faults.device}
            errorProps={ANNOUNCED}
            onChange={({ currentTarget }) => change({ device: currentTarget.value })}
          />
        )}
        <div className={classes.target}>
          {!email && (
            <CountrySelect
              countries={countries}
              value={country}
              onChange={(chosen) => change({ country: chosen })}
            />
          )}
          <TargetField
            key={targetField}
            ref={fields[targetField] as RefObject<HTMLInputElement | null>}
            accountId={accountId}
            email={email}
            value={target}
            error={faults[targetField]}
            onChange={(typed) => change({ [targetField]: typed })}
            onSettled={setSettled}
          />
        </div>
        {email && (
          <TextField
            label={t('send.subject')}
            value={subject}
            maxLength={500}
            autoComplete="off"
            onChange={({ currentTarget }) => change({ subject: currentTarget.value })}
          />
        )}
        <Textarea
          ref={fields.message as RefObject<HTMLTextAreaElement | null>}
          size="md"
          label={t('send.message')}
          description={way.channel === 'whatsapp' ? t('send.whatsapp_hint') : undefined}
          autosize
          minRows={5}
          maxRows={16}
          value={message}
          error={faults.message}
          errorProps={ANNOUNCED}
          onChange={({ currentTarget }) => change({ message: currentTarget.value })}
        />
        <Button
          type="submit"
          size="md"
          className={classes.send}
          loading={sending}
          leftSection={<IconSend size={18} aria-hidden="true" />}
        >
          {t('send.button')}
        </Button>
      </div>
      <Cost
        channel={way.channel}
        country={country}
        settledTarget={settled === target ? settled.trim() : ''}
        message={message}
      />
    </form>
  );
};
