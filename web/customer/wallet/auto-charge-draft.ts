import type { Profile } from '../../../contract/customer/accounts.ts';
import type { ApiError } from '../../ground/api/api-error.ts';
import { t } from '../../ground/i18n/translate.ts';
import { type AmountBounds, readTypedAmount, typedText } from './amount-text.ts';

type PaymentSetting = Profile['paymentSetting'];

/** The state of the form, with texts as they were typed. */
export interface AutoChargeDraft {
  on: boolean;
  amount: string;
  cardId: string;
  threshold: string;
  cap: string;
}

export type AutoChargeFaults = Partial<Record<'amount' | 'card' | 'threshold' | 'cap', string>>;

export type AutoChargeChange =
  | { autoCharge: false }
  | {
      autoCharge: true;
      autoChargeAmount: number;
      cardId: string;
      autoChargeThreshold?: number;
      autoChargeDailyCap?: number;
    };

export const draftOf = (setting: PaymentSetting): AutoChargeDraft => ({
  on: setting.autoCharge,
  amount: typedText(setting.autoChargeAmount),
  cardId: setting.cardId ?? '',
  threshold: typedText(setting.autoChargeThreshold),
  cap: typedText(setting.autoChargeDailyCap),
});

/** An unchanged cap may be the default, which rises with the amount: only the server knows. */
const capIsTooLow = (draft: AutoChargeDraft, setting: PaymentSetting): boolean => {
  const [amount, cap] = [readTypedAmount(draft.amount), readTypedAmount(draft.cap)];
  if ('fault' in amount || 'fault' in cap) return false;
  return cap.amount !== setting.autoChargeDailyCap && cap.micros < amount.micros;
};

/** The faults of the typed values. A missing amount is no fault: it is only not saved yet. */
export const autoChargeFaults = (
  draft: AutoChargeDraft,
  setting: PaymentSetting,
  bounds: AmountBounds,
): AutoChargeFaults => {
  const faultIn = (typed: string, within: AmountBounds) => {
    const read = readTypedAmount(typed, within);
    return 'fault' in read ? read.fault : undefined;
  };
  const { maximum } = bounds;
  return {
    amount: draft.amount.trim() === '' ? undefined : faultIn(draft.amount, bounds),
    threshold: faultIn(draft.threshold, { maximum }),
    cap: capIsTooLow(draft, setting) ? t('settings.daily_cap_too_low') : faultIn(draft.cap, { maximum }),
  };
};

/** The server's refusal at the field that it is about; empty where it is about something else. */
export const fieldRefusal = (
  { code, message }: ApiError,
  change: AutoChargeChange,
  setting: PaymentSetting,
): AutoChargeFaults => {
  if (!change.autoCharge) return {};
  if (code === 'E_DAILY_CAP_TOO_LOW') return { cap: message };
  if (code === 'E_CARD_UNKNOWN') return { card: message };
  if (!code.startsWith('E_AMOUNT_')) return {};
  // An amount that the server has stored is valid.
  if (change.autoChargeAmount === setting.autoChargeAmount) {
    if (change.autoChargeThreshold !== undefined) return { threshold: message };
    if (change.autoChargeDailyCap !== undefined) return { cap: message };
  }
  return { amount: message };
};

/**
 * What there is to save: always the off; the on only with an amount and a card; nothing where the server
 * already has it. Threshold and cap travel only when they were changed, so that their defaults stay defaults.
 */
export const changeOf = (
  draft: AutoChargeDraft,
  setting: PaymentSetting,
  bounds: AmountBounds,
): AutoChargeChange | undefined => {
  if (!draft.on) return { autoCharge: false };
  const [amount, threshold, cap] = [
    readTypedAmount(draft.amount, bounds),
    readTypedAmount(draft.threshold, { maximum: bounds.maximum }),
    readTypedAmount(draft.cap, { maximum: bounds.maximum }),
  ];
  if ('fault' in amount || 'fault' in threshold || 'fault' in cap || draft.cardId === '') return undefined;
  if (capIsTooLow(draft, setting)) return undefined;
  const changed = {
    ...(threshold.amount !== setting.autoChargeThreshold && { autoChargeThreshold: threshold.amount }),
    ...(cap.amount !== setting.autoChargeDailyCap && { autoChargeDailyCap: cap.amount }),
  };
  const same =
    setting.autoCharge &&
    setting.autoChargeAmount === amount.amount &&
    setting.cardId === draft.cardId &&
    Object.keys(changed).length === 0;
  return same
    ? undefined
    : { autoCharge: true, autoChargeAmount: amount.amount, cardId: draft.cardId, ...changed };
};
