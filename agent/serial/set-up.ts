import { setTimeout as sleep } from 'node:timers/promises';
import type { ModemState } from '../modems/modem.ts';
import { AtError } from './at-errors.ts';
import type { AtPort } from './at-port.ts';

/** How long to read what a modem still sends to a previous program. */
const DRAIN_MS = 200;
const STRONGEST = 31;
const UNKNOWN_SIGNAL = 99;
const REGISTRATION: Record<string, string> = {
  '0': 'It is in no network.',
  '2': 'It looks for a network.',
  '3': 'The network refuses the SIM.',
  '4': 'Its network is not known.',
};

/** Whether a modem takes the command; those who don't know it answer with an error. */
const takes = async (port: AtPort, command: string): Promise<boolean> => {
  try {
    await port.command(command);
    return true;
  } catch (error) {
    if (error instanceof AtError) return false;
    throw error;
  }
};

const enterPin = async (port: AtPort, pin: string | undefined): Promise<void> => {
  const [said = ''] = await port.command('AT+CPIN?');
  if (said.includes('READY')) return;
  if (!pin || !/SIM PIN$/.test(said)) throw new Error(`The SIM asks for ${said.replace('+CPIN: ', '')}.`);
  await port.command(`AT+CPIN="${pin}"`);
};

/**
 * PDU mode, and new messages and status reports announced. With AT+CSMS=1 the modem waits for AT+CNMA before it tells
 * the network that a report has arrived, so that none is lost when this program ends in between.
 */
export const setUp = async (port: AtPort, pin: string | undefined): Promise<{ acknowledges: boolean }> => {
  // It may still wait for the rest of a command or of a PDU that nobody will write.
  port.escape();
  await sleep(DRAIN_MS);
  await takes(port, 'AT');
  await port.command('ATE0');
  await takes(port, 'AT+CMEE=1');
  await enterPin(port, pin);
  await port.command('AT+CMGF=0');
  await takes(port, 'AT+CPMS="SM","SM","SM"');
  const acknowledges = await takes(port, 'AT+CSMS=1');
  if (!(await takes(port, 'AT+CNMI=2,1,0,1,0')) && !(await takes(port, 'AT+CNMI=2,1,0,2,0')))
    await port.command('AT+CNMI=2,1');
  return { acknowledges };
};

const answerOf = (lines: string[], name: string): string =>
  lines
    .find((line) => line.startsWith(`${name}:`))
    ?.slice(name.length + 1)
    .trim() ?? '';

/** What the modem says of itself. What it does not know stays as it was. */
export const lookAt = async (port: AtPort, before: ModemState): Promise<ModemState> => {
  const imsi = /^\d{5,15}$/.exec((await port.command('AT+CIMI'))[0] ?? '')?.[0];
  const [, registration = '4'] = answerOf(await port.command('AT+CREG?'), '+CREG').split(',');
  const up = registration === '1' || registration === '5';
  const rssi = Number(answerOf(await port.command('AT+CSQ'), '+CSQ').split(',')[0]);
  const signal =
    rssi >= 0 && rssi !== UNKNOWN_SIGNAL ? Math.min(100, Math.round((rssi / STRONGEST) * 100)) : undefined;
  const network = (await takes(port, 'AT+COPS=3,0'))
    ? /"([^"]*)"/.exec(answerOf(await port.command('AT+COPS?'), '+COPS'))?.[1]
    : undefined;
  return {
    up,
    reason: up ? undefined : (REGISTRATION[registration] ?? 'It is in no network.'),
    imsi: imsi ?? before.imsi,
    number: before.number,
    signal: signal ?? before.signal,
    network: network || before.network,
  };
};
