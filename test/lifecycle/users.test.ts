import { spawnSync } from 'node:child_process';
import { chmod, chown, mkdir, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../program.ts';
import { running, temporaryFolder } from './data-dir.ts';

const isRoot = process.getuid?.() === 0;
const NOBODY = { uid: 65534, gid: 65534 };

/** A container's root may not mount. */
const canMount = isRoot && spawnSync('unshare', ['--mount', 'true']).status === 0;

test.skipIf(!canMount)('root runs it from a folder that only root may enter', async () => {
  // mkdtemp makes it for its owner only; the checkout appears in it for this program alone.
  const folder = await temporaryFolder();
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
  const checkout = join(folder, 'checkout');
  await mkdir(checkout);
  const script = 'mount --bind "$0" "$1" && cd "$1" && exec "$2" posthorn.mjs start';
  const program = await running({
    dataDir: join(folder, 'data'),
    wrap: ([node = '']) => ['unshare', '--mount', 'sh', '-c', script, ROOT, checkout, node],
  });
  expect((await fetch(`${program.url}/readyz`)).status).toBe(200);
  expect((await stat(join(folder, 'data/postgres'))).uid, 'no other user was needed').toBe(0);
});

/** If no ordinary user may enter the checkout, none can run it from there. */
const canEnter = isRoot && spawnSync(process.execPath, ['--version'], { cwd: ROOT, ...NOBODY }).status === 0;

test.skipIf(!canEnter)('where namespaces are refused, root runs the database as another user', async () => {
  const folder = await temporaryFolder();
  await chmod(folder, 0o711);
  const programs = join(folder, 'programs');
  await mkdir(programs);
  for (const name of ['sh', 'chown']) await symlink(join('/bin', name), join(programs, name));
  const dataDir = join(folder, 'data');
  const program = await running({ dataDir, env: { PATH: programs } });
  expect((await fetch(`${program.url}/readyz`)).status).toBe(200);
  expect((await stat(join(dataDir, 'postgres'))).uid).not.toBe(0);
  expect((await stat(dataDir)).mode & 0o007, 'nobody else may enter').toBe(0);
});

test.skipIf(!canEnter)('an ordinary user runs it, and then root on the same data', async () => {
  const folder = await temporaryFolder();
  await chown(folder, NOBODY.uid, NOBODY.gid);
  const dataDir = join(folder, 'data');
  const program = await running({ dataDir, user: NOBODY });
  expect((await fetch(`${program.url}/readyz`)).status).toBe(200);
  expect((await stat(join(dataDir, 'postgres'))).uid).toBe(NOBODY.uid);
  expect((await program.stop()).code).toBe(0);

  // A single `sudo npm start` must not lock the user out of the data afterwards.
  const asRoot = await running({ dataDir });
  expect((await asRoot.stop()).code).toBe(0);
  const again = await running({ dataDir, user: NOBODY });
  expect((await again.stop()).code).toBe(0);
});
