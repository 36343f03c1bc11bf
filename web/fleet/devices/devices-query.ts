import { queryOptions, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Device as Stored } from '../../../contract/fleet/devices.ts';
import { call } from '../../ground/api/call.ts';
import { toastFailure } from '../../ground/ui/feedback/toast.ts';

/** A device as it is shown; `originalName` is what it is called here, whatever is shown instead. */
export type Device = Stored & { originalName: string };

const shown = ({ devices }: { devices: Stored[] }): Device[] =>
  devices.map((device) => ({ ...device, ...device.display, originalName: device.phoneName }));

/** With `all` those of every account, which only admins may ask for. */
const devicesQuery = (all: boolean) =>
  queryOptions({
    queryKey: ['devices', all],
    queryFn: () => call('GET /devices', { query: all ? { all: 'true' } : {} }),
    select: shown,
  });

interface Asked {
  all: boolean;
  /** Reads them again so often, as long as the page is in sight. */
  pollMs?: number;
}

/** The devices; a list that can't be loaded is told by a toast, once for each cause. */
export const useDevices = ({ all, pollMs }: Asked) => {
  const devices = useQuery({
    ...devicesQuery(all),
    refetchOnMount: 'always',
    // Before the first answer there is nothing to keep up to date: the failure stays, with its way to try again.
    refetchInterval: ({ state }) => (pollMs !== undefined && state.data !== undefined ? pollMs : false),
  });
  const failure = devices.error?.message;
  useEffect(() => {
    if (failure !== undefined) toastFailure(failure);
  }, [failure]);
  return devices;
};
