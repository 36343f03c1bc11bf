import { type DevicesDeps, openDeviceCarrier } from '../fleet/devices/index.ts';
import { openPhoneCarrier, type PhonesDeps } from '../fleet/phones/index.ts';
import type { Db } from '../ground/postgres/index.ts';
import type { ProviderWebhook } from '../traffic/delivery/index.ts';
import {
  type Carrier,
  findSealedOptions,
  openSettings,
  readSealedOptions,
  type ServableLane,
} from '../traffic/lanes/index.ts';
import type { MediaSource } from '../traffic/media/index.ts';
import type { MadeLaneProvider } from './lane-providers.ts';

interface MadeLanesDeps {
  db: Db;
  key: Buffer;
  providers: MadeLaneProvider[];
  phones: PhonesDeps;
  devices: DevicesDeps;
}

const LANE = /^\/api\/providers\/lanes\/([A-Za-z0-9._-]{1,63})\//;

/** What lanes need that settings don't describe: all of it comes from what their rows hold. */
export const openMadeLanes = ({ db, key, providers, phones, devices }: MadeLanesDeps) => {
  const providerOf = (name: string) => providers.find((one) => one.name === name);

  const find = async (laneName: string) => {
    const found = await findSealedOptions(db, laneName);
    const provider = found && providerOf(found.provider);
    return provider && { provider, settings: openSettings(key, found.id, found.sealed) };
  };

  const openCarrier = async (lane: ServableLane): Promise<(() => Carrier) | undefined> => {
    if (lane.source === 'phone') return openPhoneCarrier(phones, lane);
    const driven = lane.source === 'device' ? await openDeviceCarrier(devices, lane) : undefined;
    if (driven) return driven;
    // Numbers at the Cloud API are devices without a driver: settings take the place of pairing.
    const { id, name, provider } = lane;
    const sealed = (await readSealedOptions(db, [id])).get(id);
    return sealed && providerOf(provider)?.lane(openSettings(key, id, sealed), name).carrier;
  };

  const sourceOf = async (laneName: string): Promise<MediaSource | undefined> => {
    const made = await find(laneName);
    return made?.provider.media?.(made.settings);
  };

  /** One address for all of them: lanes come and go while the program runs. */
  const webhook: ProviderWebhook = {
    path: 'lanes/:laneName/:what',
    methods: ['GET', 'POST'],
    handle: async (call, receiver) => {
      const [pathname = ''] = call.url.split('?');
      const laneName = LANE.exec(pathname)?.[1];
      const made = laneName && (await find(laneName));
      const meant = made
        ? made.provider
            .webhooks?.(made.settings, laneName)
            .find(
              ({ path, methods }) => pathname === `/api/providers/${path}` && methods.includes(call.method),
            )
        : undefined;
      return meant ? meant.handle(call, receiver) : { status: 404 };
    },
  };
  return { openCarrier, sourceOf, webhook };
};
