import { t } from '../../ground/i18n/translate.ts';
import { BUSINESS_NUMBER, SIMULATOR } from './draft.ts';

/** A choice of the form: what a request names as its sender, and what the reader sees. */
export interface OfferedDevice {
  value: string;
  label: string;
  /** Goes through a simulator. */
  test: boolean;
}

/** A device of the account's own. */
interface OwnDevice {
  deviceId: string;
  phoneNumber: string;
  simulated: boolean;
  canSend: boolean;
}

/** The operator's own way to WhatsApp. */
interface Operators {
  available: boolean;
  simulated: boolean;
}

const operatorsDevice = ({ available, simulated }: Operators): OfferedDevice[] => {
  if (!available) return [];
  return simulated
    ? [{ value: SIMULATOR, label: t('send.simulator'), test: true }]
    : [{ value: BUSINESS_NUMBER, label: t('send.business_number'), test: false }];
};

/** Those of the account's devices that are RUNNING, and what the operator has set up. */
export const offeredDevices = (own: OwnDevice[], operators: Operators): OfferedDevice[] => [
  ...own
    .filter(({ canSend }) => canSend)
    .map(({ deviceId, phoneNumber, simulated }) => ({
      value: deviceId,
      label: `${phoneNumber} (${deviceId})`,
      test: simulated,
    })),
  ...operatorsDevice(operators),
];

/**
 * The chosen device while it is offered. Before one is chosen, and after the chosen one stopped: the account's own if it
 * is the only one, else the operator's, if that is all there is. Otherwise the reader has to choose.
 */
export const deviceOf = (chosen: string | undefined, offered: OfferedDevice[]): string => {
  if (chosen === '' || offered.some(({ value }) => value === chosen)) return chosen as string;
  const own = offered.filter(({ value }) => value !== SIMULATOR && value !== BUSINESS_NUMBER);
  const [first, ...more] = own.length > 0 ? own : offered;
  return first && more.length === 0 ? first.value : '';
};
