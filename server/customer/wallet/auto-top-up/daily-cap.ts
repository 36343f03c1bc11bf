import { MICROS_PER_UNIT } from '../../../../contract/ground/money.ts';
import type { Wallet } from '../store.ts';

const DEFAULT_DAILY_CAP_MICROS = 200n * MICROS_PER_UNIT;
const DEFAULT_CAP_TIMES = 5n;

/** Five times the amount or 200 USD, whichever is more, unless the account has set its own. */
export const dailyCapMicros = (
  wallet: Pick<Wallet, 'autoChargeDailyCapMicros' | 'autoChargeAmountMicros'>,
): bigint => {
  if (wallet.autoChargeDailyCapMicros !== null) return wallet.autoChargeDailyCapMicros;
  const times = (wallet.autoChargeAmountMicros ?? 0n) * DEFAULT_CAP_TIMES;
  if (times > DEFAULT_DAILY_CAP_MICROS) return times;
  return DEFAULT_DAILY_CAP_MICROS;
};
