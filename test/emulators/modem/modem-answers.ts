import type { ModemBehaviour } from './modem-behaviour.ts';
import type { ModemMemory } from './modem-memory.ts';
import { lengthOf } from './modem-pdu.ts';

interface Speaker {
  imsi: string;
  number: string;
  behaviour: ModemBehaviour;
  memory: ModemMemory;
  say: (...lines: string[]) => void;
  fail: (code: number) => void;
}

/** Fixed answers, as those of a common USB stick. */
const FIXED: Record<string, string[]> = {
  AT: [],
  'AT+CGMI': ['Posthorn'],
  'AT+GMI': ['Posthorn'],
  'AT+CGMM': ['EMULATOR'],
  'AT+GMM': ['EMULATOR'],
  'AT+CGMR': ['1.0'],
  'AT+GMR': ['1.0'],
  'AT+CGSN': ['490154203237518'],
  'AT+GSN': ['490154203237518'],
  'AT+CPIN?': ['+CPIN: READY'],
  'AT+CFUN?': ['+CFUN: 1'],
  'AT+CBC': ['+CBC: 0,100'],
  'AT+CMGF=?': ['+CMGF: (0,1)'],
  'AT+CMGF?': ['+CMGF: 0'],
  'AT+CSCS=?': ['+CSCS: ("GSM","UCS2","IRA")'],
  'AT+CSCS?': ['+CSCS: "GSM"'],
  'AT+CNMI=?': ['+CNMI: (0-2),(0-1),(0,2),(0-2),(0,1)'],
  'AT+CPMS=?': ['+CPMS: ("SM"),("SM"),("SM")'],
  'AT+CSCA?': ['+CSCA: "+85290000000",145'],
  'AT+CSMP?': ['+CSMP: 17,167,0,0'],
  'AT+CREG=?': ['+CREG: (0-2)'],
  'AT+CPBS=?': ['+CPBS: ("SM")'],
  'AT+CMGL=?': ['+CMGL: (0-4)'],
  'AT+CGATT?': ['+CGATT: 1'],
  'AT+CLIP?': ['+CLIP: 0,1'],
};
/** Settings that change nothing here. */
const TAKEN =
  /^AT(Z|&F|&D2|V1|Q0|X4|S0=0|\+(CMGF=0|CSCS=.*|CMMS=\d|CSCA=.*|CSMP=.*|CPBS=.*|CLIP=\d|CFUN=1|CRC=\d|CCWA=\d|COLP=\d))$/;

/** Answers everything but the sending of messages; false for a command that it does not know. */
export const modemAnswers = ({ imsi, number, behaviour, memory, say, fail }: Speaker) => {
  const store = () => memory.stores[memory.chosen];
  const listed = (status: number): string[] =>
    [...store()]
      .filter(([, { read }]) => status === 4 || status === (read ? 1 : 0))
      .flatMap(([index, one]) => {
        const line = `+CMGL: ${index},${one.read ? 1 : 0},,${lengthOf(one.hex)}`;
        one.read = true;
        return [`${line}\r\n${one.hex}`];
      });
  const memories = (): string =>
    Array.from({ length: 3 }, () => `"SM",${store().size},${behaviour.capacity}`).join(',');
  const counts = (): string =>
    Array.from({ length: 3 }, () => `${store().size},${behaviour.capacity}`).join(',');

  const set = (change: Partial<ModemMemory>): string[] => {
    Object.assign(memory, change);
    return [];
  };

  /** By a pattern of the command; a number is a +CMS ERROR. */
  const asked: [RegExp, (...groups: string[]) => string[] | number][] = [
    [/^ATE([01])$/, (on) => set({ echo: on === '1' })],
    [/^AT\+CMEE=(\d)$/, (level) => set({ numericErrors: level !== '0' })],
    [/^AT\+CIMI$/, () => [imsi]],
    [/^AT\+CNUM$/, () => [`+CNUM: "","${number}",145`]],
    [/^AT\+CSQ$/, () => [`+CSQ: ${behaviour.rssi},99`]],
    [/^AT\+CG?REG=(\d)$/, (mode) => set({ registrationMode: Number(mode) })],
    [
      /^AT\+(CG?REG)\?$/,
      (name) => {
        const place = memory.registrationMode === 2 && behaviour.registered ? ',"00D1","AB12"' : '';
        return [`+${name}: ${memory.registrationMode},${behaviour.registered ? 1 : 2}${place}`];
      },
    ],
    [/^AT\+COPS=3,(\d)$/, (format) => set({ networkFormat: Number(format) })],
    [
      /^AT\+COPS\?$/,
      () => {
        const { networkFormat } = memory;
        if (!behaviour.registered) return ['+COPS: 0'];
        return [`+COPS: 0,${networkFormat},"${networkFormat === 2 ? '45400' : 'Posthorn Net'}"`];
      },
    ],
    [/^AT\+CPMS\?$/, () => [`+CPMS: ${memories()}`]],
    [
      /^AT\+CPMS="(SM|SR)"(?:,"SM")*$/,
      (chosen) => {
        if (chosen === 'SR' && behaviour.reportMemory !== 'SR') return 302;
        return [...set({ chosen: chosen as ModemMemory['chosen'] }), `+CPMS: ${counts()}`];
      },
    ],
    [/^AT\+CSMS=([01])$/, (phase) => [...set({ acknowledged: phase === '1' }), '+CSMS: 1,1,1']],
    [/^AT\+CSMS\?$/, () => [`+CSMS: ${memory.acknowledged ? 1 : 0},1,1,1`]],
    [/^AT\+CNMI\?$/, () => [`+CNMI: 2,${memory.announce},0,${memory.reports},0`]],
    [
      /^AT\+CNMI=\d?(?:,(\d?)(?:,\d?(?:,(\d?)(?:,\d?)?)?)?)?$/,
      (announce, reports) => {
        if (reports === '1' && behaviour.reportMemory) return 302;
        if (announce) memory.announce = Number(announce);
        if (reports) memory.reports = Number(reports);
        return [];
      },
    ],
    [/^AT\+CMGL(?:=(\d))?$/, (status = '0') => listed(Number(status))],
    [
      /^AT\+CMGR=(\d+)$/,
      (index) => {
        const one = store().get(Number(index));
        if (!one) return 321;
        const status = one.read ? 1 : 0;
        one.read = true;
        return [`+CMGR: ${status},,${lengthOf(one.hex)}\r\n${one.hex}`];
      },
    ],
    [/^AT\+CMGD=(\d+)(?:,0)?$/, (index) => (store().delete(Number(index)) ? [] : 321)],
    [
      /^AT\+CUSD=1,"([^"]+)",\d+$/,
      (code) => {
        const text = behaviour.ussd[code];
        setTimeout(() => say(text === undefined ? '+CUSD: 4' : `+CUSD: 0,"${text}",15`), 10);
        return [];
      },
    ],
    [/^AT\+CUSD=[012]$/, () => []],
  ];
  return (given: string): boolean => {
    const command = given.toUpperCase();
    const fixed = FIXED[command] ?? (TAKEN.test(command) ? [] : undefined);
    if (fixed) {
      say(...fixed, 'OK');
      return true;
    }
    for (const [pattern, answer] of asked) {
      const found = pattern.exec(command);
      if (!found) continue;
      const said = answer(...found.slice(1));
      if (typeof said === 'number') fail(said);
      else say(...said, 'OK');
      return true;
    }
    return false;
  };
};
