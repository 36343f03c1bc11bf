import type { DeviceSurroundings } from '../../fleet/devices/driver.ts';
import type { CarrierEvents, Inbound } from '../../traffic/lanes/index.ts';
import type { openProcessCalls } from './calls.ts';
import { inboundOf, receiptOf } from './inbound.ts';
import { type DeviceMessage, type FromSession, HIDDEN } from './protocol.ts';
import type { storeInOrder } from './store-in-order.ts';

interface Options extends Pick<DeviceSurroundings, 'keepFile'> {
  store: ReturnType<typeof storeInOrder>['store'];
  answer: ReturnType<typeof openProcessCalls>['answer'];
  warn: (error: unknown) => void;
  events: () => CarrierEvents | undefined;
  phoneNumber: () => string;
}

export type OfMessages = FromSession & { kind: 'sent' | 'ack' | 'unread' | 'message' };

/** What the process of a device tells of messages becomes what the port asks for. */
export const hearMessages = ({ store, answer, warn, events, phoneNumber, keepFile }: Options) => {
  const receive = (message: DeviceMessage): void => {
    if (message.from.startsWith(HIDDEN))
      warn(new Error('WhatsApp does not tell the number of who wrote a message'));
    // Its file is kept once, however often the message is tried.
    let inbound: Inbound | undefined;
    store(async () => {
      inbound ??= await inboundOf(message, phoneNumber(), keepFile);
      await events()?.inbound(inbound);
    });
  };
  return (said: OfMessages): void => {
    if (said.kind === 'sent') answer(said.call, said.outcome);
    else if (said.kind === 'message') receive(said);
    else if (said.kind === 'unread') warn(new Error(`a message could not be read: ${said.why}`));
    else {
      const receipt = receiptOf(said, new Date());
      if (receipt) store(() => events()?.receipt(receipt));
    }
  };
};
