/** Of a password, or of a user whom only the system's own user of that name may be. */
const DENIED = [1045, 1698];

const NAMELESS =
  "mariadb-install-db makes users without a name, which go before a user of any host ('%') on the server's own machine: drop them (select user, host from mysql.user where user = ''; drop user ''@'localhost')";
const SOCKET_ONLY =
  "mariadb-install-db lets root in only through the server's socket, as the system's own root: name another user, or give this one a password (alter user root@localhost identified by '…')";
const TEST_DATABASES =
  "everybody may write in databases whose names begin with test, as mariadb-install-db leaves them: drop database test; delete from mysql.db where db like 'test%'; flush privileges";

/** What MariaDB says of a connection that it refuses, and what its installation has to do with it. */
export const deniedInWords = ({ errno, message }: { errno?: number; message: string }): string => {
  if (errno === undefined || !DENIED.includes(errno)) return message;
  return `${message}. ${/user 'root'/.test(message) ? SOCKET_ONLY : NAMELESS}`;
};

/** What the installation gives to everybody, and how it is taken away; undefined for a grant of the user's own. */
export const grantInWords = (grant: string): string | undefined =>
  / ON `test(\\{1,2}_%)?`\.\* TO (PUBLIC|''@)/i.test(grant) ? TEST_DATABASES : undefined;

/** The user that a connection is taken for, `@localhost` for one without a name. */
export const userInWords = (user: string): string | undefined => (/^@/.test(user) ? NAMELESS : undefined);
