import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import mysql from 'mysql2/promise';

const execute = promisify(execFile);

const SERVER = ['/usr/sbin/mariadbd', '/usr/local/sbin/mariadbd', '/usr/bin/mariadbd'].find(existsSync);
const INSTALL = ['/usr/bin/mariadb-install-db', '/usr/local/bin/mariadb-install-db'].find(existsSync);

/** Undefined where tests with a real MariaDB can run. */
export const WHY_NO_MARIADB =
  SERVER && INSTALL ? undefined : 'no MariaDB is installed (Debian: apt-get install mariadb-server)';

export const MARIADB_USER = 'posthorn_query';
const START_MS = 60_000;

const SCRIPT = `
create database merchant_vault character set utf8mb4;
create database merchant_qa character set utf8mb4;
use merchant_vault;
create table profile (id varchar(20) primary key, merchant_id varchar(20), contact_name varchar(80),
  email varchar(120), phone varchar(30), password_hash text);
create table app (id varchar(20) primary key, merchant_id varchar(20), name varchar(80), platform varchar(20),
  bundle_id varchar(120), api_token text);
use merchant_qa;
set session max_recursive_iterations = 10000;
create table numbers (n int primary key, label varchar(20) not null);
insert into numbers with recursive r as (select 1 as n union all select n + 1 from r where n < 5000)
  select n, concat('label ', n % 7) from r;
create table merchant (id varchar(20) primary key, name varchar(120), legal_name varchar(200), status varchar(20),
  country char(2));
create table relation (id varchar(20) primary key, merchant_id varchar(20), related_id varchar(20), kind varchar(30));
insert into merchant select concat('QA', 100000 + n), concat('Orchard Bakery ', n), 'Orchard Foods Pte Ltd', 'active',
  'SG' from numbers where n <= 50;
insert into merchant_vault.profile select concat('P', n), concat('QA', 100000 + n), 'Amy Lau',
  concat('amy', n, '@example.com'), '+65 6111 2222', '$argon2id$secret' from numbers where n <= 50;
insert into relation select concat('R', n), concat('QA', 100000 + n), concat('QA', 100001 + n), 'branch' from numbers
  where n < 50;
insert into merchant_vault.app select concat('A', n), concat('QA', 100000 + n), 'Booking', 'web',
  concat('com.example.qa.app', n), 'tok_secret' from numbers where n <= 50;
create view profile as select id, merchant_id, contact_name, email, phone, '••••••' as password_hash
  from merchant_vault.profile;
create view app as select id, merchant_id, name, platform, bundle_id, '••••••' as api_token from merchant_vault.app;
create user ${MARIADB_USER}@'%' identified by 'a secret';
grant select on merchant_qa.* to ${MARIADB_USER}@'%';
grant show view on merchant_qa.* to ${MARIADB_USER}@'%'`;

/** A MariaDB of its own in a temporary folder, reached by a socket; `bare`, without what the installation adds. */
export const startMariadb = async ({ bare = true } = {}) => {
  const folder = await mkdtemp(join(tmpdir(), 'posthorn-mariadb-'));
  const socket = join(folder, 'socket');
  const user = userInfo().username;
  const data = `--datadir=${join(folder, 'data')}`;
  // A server that starts removes the temporary tables of all others that keep them in the same folder.
  const own = ['--no-defaults', data, `--tmpdir=${folder}`, `--user=${user}`];
  const without = bare ? ['--skip-test-db'] : [];
  await execute(INSTALL ?? '', [...own, '--auth-root-authentication-method=normal', ...without]);
  const server = spawn(
    SERVER ?? '',
    [...own, `--socket=${socket}`, '--skip-networking', '--innodb-flush-log-at-trx-commit=0'],
    { stdio: 'ignore' },
  );
  const killWithUs = () => server.kill('SIGKILL');
  process.once('exit', killWithUs);
  const ended = new Promise((resolve) => server.once('exit', resolve));
  const until = Date.now() + START_MS;
  const options = { socketPath: socket, user: 'root', charset: 'utf8mb4_general_ci' };
  let maker: mysql.Connection | undefined;
  while (!maker) {
    maker = await mysql.createConnection({ ...options, multipleStatements: true }).catch(async (error) => {
      if (Date.now() > until || server.exitCode !== null) throw error;
      await sleep(100);
      return undefined;
    });
  }
  await maker.query(SCRIPT);
  await maker.end();
  const root = await mysql.createConnection(options);
  return {
    socket,
    /** May do everything, one statement at a time. */
    root,
    options: {
      host: socket,
      port: undefined,
      user: MARIADB_USER,
      password: 'a secret',
      tls: false,
      databases: ['merchant_qa'],
      secret: ['merchant_vault.profile.password_hash', 'merchant_vault.app.api_token'],
      mask: 'views' as const,
    },
    stop: async () => {
      await root.end();
      server.kill('SIGTERM');
      await ended;
      process.off('exit', killWithUs);
      await rm(folder, { recursive: true, force: true });
    },
  };
};
