import { openCallLog } from '../customer/integration/index.ts';
import { openDeps } from './deps.ts';
import { openGround } from './ground.ts';
import type { Setup } from './setup.ts';
import { tasksOf } from './tasks.ts';

/** Opens the rooms and makes their tasks known to the queue. */
export const openRooms = async (setup: Setup) => {
  const ground = await openGround(setup);
  const rooms = { ...ground, ...(await openDeps(setup, ground)) };
  const tasks = tasksOf(rooms, setup.publicUrl);
  await rooms.queue.declare(tasks);
  const callLog = openCallLog({ db: rooms.db, log: rooms.log });
  setup.ending.defer(callLog.close);
  return { ...rooms, tasks, callLog };
};

export type Rooms = Awaited<ReturnType<typeof openRooms>>;
