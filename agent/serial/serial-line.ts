import { readdir } from 'node:fs/promises';
import { SerialPort } from 'serialport';
import type { SerialLine } from './at-port.ts';

/** Opens a serial device; throws if it is missing or somebody else has it. */
export const openSerialLine = (path: string, baudRate: number): Promise<SerialLine> =>
  new Promise((resolve, reject) => {
    const port = new SerialPort({ path, baudRate, autoOpen: false, lock: true });
    port.setEncoding('latin1');
    let closed: (reason: string) => void = () => {};
    port.once('close', () => closed('the modem was unplugged'));
    port.on('error', () => {
      if (port.isOpen) port.close();
    });
    port.open((error) => {
      if (error) {
        reject(error);
        return;
      }
      resolve({
        write: (text) => void port.write(text, 'latin1'),
        onData: (listener) => void port.on('data', listener),
        onClose: (listener) => {
          closed = listener;
        },
        close: () => {
          if (port.isOpen) port.close();
        },
      });
    });
  });

/** Where the system can't be asked, as in containers without udev: what looks like a modem's port. */
const lookForPorts = async (): Promise<{ path: string; manufacturer?: string }[]> => {
  const names = await readdir('/dev').catch((): string[] => []);
  return names.filter((name) => /^tty(USB|ACM|AMA)\d/.test(name)).map((name) => ({ path: `/dev/${name}` }));
};

/** With the maker's name, where the system knows it. */
export const listSerialPorts = async (): Promise<string[]> => {
  const ports = await SerialPort.list().catch(lookForPorts);
  return ports.map(({ path, manufacturer }) => (manufacturer ? `${path} (${manufacturer})` : path));
};
