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

/** With the maker's name, where the system knows it; none where it can't be asked, as without udev. */
export const listSerialPorts = async (): Promise<string[]> => {
  const ports = await SerialPort.list().catch(() => []);
  return ports.map(({ path, manufacturer }) => (manufacturer ? `${path} (${manufacturer})` : path));
};
