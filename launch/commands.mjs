import { parseArgs } from 'node:util';
import { Fault } from './fault.mjs';

const ROLES = {
  usage: '[--roles web,worker,query]',
  options: { roles: { type: 'string' } },
  help: 'Without --roles this process has every role. Settings are environment variables: README.md lists them.',
};

/**
 * By name. `words` is how many arguments a command takes at most; one without `words` reads its own, because they are
 * other tools' too.
 */
export const COMMANDS = {
  start: {
    script: 'server/main.ts',
    web: true,
    words: 0,
    does: 'installs, builds and starts the program',
    ...ROLES,
  },
  dev: { script: 'launch/dev.mjs', web: true, words: 0, does: 'the same, with reload on change', ...ROLES },
  test: {
    script: 'checks/test.ts',
    does: 'runs every check and test, or one part of them',
    usage: '[check | unit [FILE …] | e2e [FILE …]]',
    help: 'FILE is a part of a test file’s path; options of Vitest (unit) or Playwright (e2e) may follow, such as -t or -g with a part of a test’s name.',
  },
  check: {
    script: 'checks/check.ts',
    words: 0,
    does: 'types, lint, format, import rules, texts, first-load sizes',
  },
  migrate: {
    script: 'server/commands/migrate.ts',
    words: 0,
    does: 'brings the database up to date and ends',
  },
  'create-admin': {
    script: 'server/commands/create-admin.ts',
    words: 2,
    does: 'makes an admin account',
    usage: 'EMAIL [PASSWORD]',
    help: 'Without PASSWORD one is made and printed.',
  },
  'reopen-account': {
    script: 'server/commands/reopen-account.ts',
    words: 1,
    does: 'opens an account again that was closed less than 30 days ago',
    usage: 'EMAIL',
  },
  'change-account': {
    script: 'server/commands/change-account.ts',
    words: 5,
    does: 'changes what an admin may not change for their own account; the audit log has it',
    usage: 'EMAIL CHANGE REASON',
    help: 'CHANGE is approve, restore, credit USD, spend-per-day USD|default, new-countries NUMBER|default, or give-sender CHANNEL SENDER.',
  },
  'verify-audit': {
    script: 'server/commands/verify-audit.ts',
    words: 1,
    does: 'makes sure that no entry of the audit log was changed or removed',
    usage: '[ID:HASH]',
    help: 'ID:HASH is a head that was printed before: it shows a log that was rewritten as a whole.',
  },
  doctor: {
    script: 'server/commands/doctor.ts',
    words: 0,
    does: 'checks the settings for what is unsafe together, and says what to do',
    help: 'Starts and changes nothing. It fails if something is unsafe; advice alone is no failure.',
  },
  'install-whatsapp-web': {
    script: 'server/commands/install-whatsapp-web.ts',
    words: 0,
    does: 'installs what customers’ own WhatsApp numbers need, below DATA_DIR',
    help: 'Chromium has to be on the machine: none is downloaded.',
  },
  agent: {
    script: 'agent/main.ts',
    words: 0,
    does: 'runs the agent next to the modems and phones of a server',
    usage: '--server URL --key KEY --modem NAME=serial:PATH|NAME=gammu:PATH|NAME=android:URL …',
    options: {
      server: { type: 'string' },
      key: { type: 'string' },
      name: { type: 'string' },
      folder: { type: 'string' },
      settings: { type: 'string' },
      insecure: { type: 'boolean' },
      modem: { type: 'string', multiple: true },
    },
    help: 'The key is for the first start. --folder DIR is what it keeps (agent-data), --settings FILE says the same as JSON, --name NAME is what people call it; docs/AGENT.md explains all.',
  },
  'pack-agent': {
    script: 'launch/pack-agent.mjs',
    words: 0,
    does: 'builds the agent as plain JavaScript, with what it needs, in dist/agent',
  },
  bench: {
    script: 'bench/run.ts',
    web: true,
    does: 'runs a benchmark',
    usage: 'NAME [PART …] [--check] [--quick] [--size NUMBER]',
    help: 'Without NAME it lists them. --check fails if a bar is missed. --size sets how much, where a whole run takes long.',
  },
  prove: {
    script: 'bench/prove.ts',
    web: true,
    does: 'runs a crash or load proof',
    usage: 'NAME [PART …] [--check] [--quick] [--size NUMBER]',
    help: 'Without NAME it lists them. --check fails if a bar is missed. --size sets how much, where a whole run takes long.',
  },
};

const lineOf = (name) => {
  const script = ['start', 'test'].includes(name) ? `npm ${name}` : `npm run ${name}`;
  const { usage } = COMMANDS[name];
  return usage ? `${script} -- ${usage}` : script;
};

const usageOf = (name) =>
  [`Usage: ${lineOf(name)}`, `  ${COMMANDS[name].does}`, COMMANDS[name].help && `  ${COMMANDS[name].help}`]
    .filter(Boolean)
    .join('\n');

const allUsages = () =>
  Object.keys(COMMANDS).map((name) => `  ${lineOf(name)}\n      ${COMMANDS[name].does}`);

/** The text that was asked for with --help, if it was. */
export const helpIn = (name, args) => {
  if (name === '--help' || name === '-h') return `Usage:\n${allUsages().join('\n')}`;
  if (Object.hasOwn(COMMANDS, name) && (args.includes('--help') || args.includes('-h'))) return usageOf(name);
  return undefined;
};

/** Refuses words that the command does not know: one that is ignored would do something else than was meant. */
export const checkArguments = (name, args) => {
  const { words, options = {} } = COMMANDS[name];
  if (words === undefined) return;
  const refuse = (reason) => {
    throw new Fault(`${reason}\n${usageOf(name)}`);
  };
  let given;
  try {
    given = parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    refuse(error.message.split('. ')[0].replace(/\.?$/, '.'));
  }
  const [surplus] = given.positionals.slice(words);
  if (surplus !== undefined) refuse(`${surplus} is not known here.`);
};
