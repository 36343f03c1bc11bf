import { DomainError } from '../../ground/domain-error.ts';
import type { CallerRoutes } from '../../ground/route/index.ts';
import { text } from '../../ground/translations/index.ts';
import { createCloudDevice, createDevice } from './create-device.ts';
import { deleteDevice } from './delete-device.ts';
import type { DevicesDeps } from './devices-deps.ts';
import { pairByCode, startDevice, stopDevice } from './move-device.ts';
import { listDevices } from './store.ts';
import { viewDevices } from './view-devices.ts';

export const adminDeviceRoutes = (deps: DevicesDeps): CallerRoutes => ({
  'POST /admin/devices': async ({ body, language, changed }) => {
    const deviceId = await createCloudDevice(deps, body);
    changed({ subject: deviceId, after: { accountId: body.accountId, phoneNumber: body.phoneNumber } });
    return { deviceId, status: text(language, 'device.created') };
  },
});

export const deviceRoutes = (deps: DevicesDeps): CallerRoutes => ({
  'GET /devices': async ({ caller: { accountId, admin, viewer }, query }) => {
    const all = query.all !== undefined && query.all !== 'false';
    if (all && !admin) throw new DomainError('E_FORBIDDEN');
    const devices = await listDevices(deps.db, all ? undefined : accountId);
    return {
      devices: await viewDevices(deps, devices, { reader: accountId, all, viewing: viewer !== undefined }),
    };
  },
  'POST /devices/create': async ({ caller: { accountId }, body, language }) => ({
    deviceId: await createDevice(deps, accountId, body),
    status: text(language, 'device.created'),
  }),
  'POST /devices/:deviceId/start': async ({ caller: { accountId }, params: { deviceId }, language }) => {
    await startDevice(deps, { accountId, deviceId });
    return { status: text(language, 'device.started') };
  },
  'POST /devices/:deviceId/stop': async ({ caller: { accountId }, params: { deviceId }, language }) => {
    await stopDevice(deps, { accountId, deviceId });
    return { status: text(language, 'device.stopped') };
  },
  'POST /devices/:deviceId/pairingCode': async ({ caller, params: { deviceId }, body, language }) => {
    await pairByCode(deps, { accountId: caller.accountId, deviceId }, body.phoneNumber);
    return { status: text(language, 'device.pairingCode') };
  },
  'DELETE /devices/:deviceId': async ({ caller: { accountId }, params: { deviceId }, query, language }) => {
    const settled = await deleteDevice(deps, { accountId, deviceId }, query);
    const { moved, cancelled } = settled;
    const label =
      moved > 0 ? 'device.deletedMoved' : cancelled > 0 ? 'device.deletedCancelled' : 'device.deleted';
    return { ...settled, status: text(language, label, { count: moved || cancelled }) };
  },
});
