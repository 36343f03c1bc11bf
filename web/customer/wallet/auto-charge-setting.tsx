import { NativeSelect, Switch } from '@mantine/core';
import { useRef, useState } from 'react';
import type { AccountId, Profile } from '../../../contract/customer/accounts.ts';
import { ApiError } from '../../ground/api/api-error.ts';
import { call } from '../../ground/api/call.ts';
import { formatAmount } from '../../ground/i18n/format.ts';
import { t } from '../../ground/i18n/translate.ts';
import { Notice } from '../../ground/ui/feedback/notice.tsx';
import { ANNOUNCED, TextField } from '../../ground/ui/forms/form-fields.tsx';
import { useSave } from '../../ground/ui/forms/use-save.ts';
import {
  type AutoChargeChange,
  type AutoChargeDraft,
  type AutoChargeFaults,
  autoChargeFaults,
  changeOf,
  draftOf,
  fieldRefusal,
} from './auto-charge-draft.ts';
import classes from './auto-charge-setting.module.css';
import { cardOptions } from './cards/card-face.ts';
import { SandboxNotice } from './sandbox-notice.tsx';
import type { Cards } from './wallet-queries.ts';

interface AutoChargeSettingProps {
  accountId: AccountId;
  setting: Profile['paymentSetting'];
  cards: Cards | undefined;
}

interface AmountFieldProps {
  label: string;
  hint: string | undefined;
  value: string;
  fault: string | undefined;
  onType: (typed: string) => void;
  onLeave: () => void;
}

const AmountField = ({ label, hint, value, fault, onType, onLeave }: AmountFieldProps) => (
  <TextField
    label={label}
    description={hint}
    inputMode="decimal"
    autoComplete="off"
    value={value}
    error={fault}
    onChange={({ currentTarget }) => onType(currentTarget.value)}
    onBlur={onLeave}
  />
);

/** The setting as it is typed; leaving a field saves it, once there are an amount and a card. */
const useAutoCharge = ({ accountId, setting, cards }: AutoChargeSettingProps) => {
  // Only what differs from the server is kept here; what is not typed follows the server.
  const [typed, setTyped] = useState<Partial<AutoChargeDraft>>({});
  const [faults, setFaults] = useState<AutoChargeFaults>({});
  const sent = useRef('');
  const draft = { ...draftOf(setting), ...typed };
  const bounds = cards?.topUp ?? {};
  const save = useSave((body: AutoChargeChange) =>
    call('PUT /account/:accountId/paymentSetting', { params: { accountId }, body }),
  );

  const type = (part: Partial<AutoChargeDraft>) => {
    setTyped({ ...typed, ...part });
    setFaults({});
    // A refused value that is typed again is sent again.
    sent.current = '';
  };

  const commit = (part: Partial<AutoChargeDraft>, { again }: { again: boolean }) => {
    const next = { ...draft, ...part };
    setTyped({ ...typed, ...part });
    const change = changeOf(next, setting, bounds);
    // Leaving a field does not repeat what was sent already, and the server's refusal stays visible.
    if (change && !again && sent.current === JSON.stringify(change)) return;
    setFaults(next.on ? autoChargeFaults(next, setting, bounds) : {});
    if (!change) return;
    const sending = JSON.stringify(change);
    sent.current = sending;
    // What was typed since it was sent stays in its field.
    const forget = (now: Partial<AutoChargeDraft>) =>
      Object.fromEntries(
        Object.entries(now).filter(([name, value]) => value !== next[name as keyof AutoChargeDraft]),
      );
    save.mutate(change, {
      onSuccess: () => setTyped(forget),
      onError: (error) => {
        const refusal = error instanceof ApiError ? fieldRefusal(error, change, setting) : {};
        // Without a field to mend, the switch goes back to what the server has.
        if (!change.autoCharge || Object.keys(refusal).length === 0) setTyped(({ on: _, ...rest }) => rest);
        if (sent.current !== sending) return;
        setFaults(refusal);
        // What failed for another reason is sent again when a field is left.
        if (Object.keys(refusal).length === 0) sent.current = '';
      },
    });
  };

  return { draft, faults, type, commit };
};

const AutoChargeFields = ({
  cards,
  draft,
  faults,
  type,
  commit,
}: ReturnType<typeof useAutoCharge> & Pick<AutoChargeSettingProps, 'cards'>) => {
  const leave = () => commit({}, { again: false });
  const missing = draft.amount.trim() === '' || draft.cardId === '';
  return (
    <div className={classes.fields}>
      <AmountField
        label={t('settings.auto_charge_amount')}
        hint={cards && t('top_up.minimum', { minimum: formatAmount(cards.topUp.minimum) })}
        value={draft.amount}
        fault={faults.amount}
        onType={(amount) => type({ amount })}
        onLeave={leave}
      />
      <NativeSelect
        size="md"
        label={t('settings.auto_charge_card')}
        description={cards?.cards.length === 0 ? t('top_up.no_cards') : t('settings.auto_charge_card_hint')}
        data={cardOptions(cards?.cards ?? [])}
        value={draft.cardId}
        error={faults.card}
        errorProps={ANNOUNCED}
        onChange={({ currentTarget }) => commit({ cardId: currentTarget.value }, { again: true })}
      />
      <AmountField
        label={t('settings.threshold')}
        hint={t('settings.threshold_hint')}
        value={draft.threshold}
        fault={faults.threshold}
        onType={(threshold) => type({ threshold })}
        onLeave={leave}
      />
      <AmountField
        label={t('settings.daily_cap')}
        hint={t('settings.daily_cap_hint')}
        value={draft.cap}
        fault={faults.cap}
        onType={(cap) => type({ cap })}
        onLeave={leave}
      />
      {missing && (
        <p className={classes.hint} role="status">
          {t('settings.auto_charge_missing')}
        </p>
      )}
    </div>
  );
};

/** Turning it on shows the fields and saves nothing until there are an amount and a card. */
export const AutoChargeSetting = (props: AutoChargeSettingProps) => {
  const { setting, cards } = props;
  const charging = useAutoCharge(props);
  const { draft, commit } = charging;
  return (
    <form
      noValidate
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (draft.on) commit({}, { again: true });
      }}
    >
      <SandboxNotice />
      {setting.autoChargeStopped !== '' && (
        <Notice
          alert
          title={t('settings.auto_charge_stopped', { reason: setting.autoChargeStopped })}
          text={t('settings.auto_charge_mend')}
        />
      )}
      <Switch
        size="md"
        label={t('settings.auto_charge')}
        description={t('settings.auto_charge_hint')}
        checked={draft.on}
        onChange={({ currentTarget }) => commit({ on: currentTarget.checked }, { again: true })}
      />
      {draft.on && <AutoChargeFields {...charging} cards={cards} />}
      {/* A form with several fields is only sent by Enter when it has a button for it. */}
      <button type="submit" hidden />
    </form>
  );
};
