import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** A constant of the contract, and which field of its items if they have fields. */
interface Values {
  file: string;
  name: string;
  key?: string;
}

const ofContract = (file: string, name: string): Values => ({ file: `contract/${file}.ts`, name });
const CHANNELS = ofContract('ground/channels', 'CHANNELS');

/**
 * Labels that are composed of a constant of the contract, where * stands for the value. TypeScript sees that each value
 * has a text; by this list a text of a value that is gone is found. What is not listed fits any text of its form.
 */
const COMPOSED: Record<string, Values> = {
  'admins.role.*': ofContract('customer/admin-roles', 'ADMIN_ROLES'),
  'audit.outcome.*': ofContract('office/audit', 'AUDIT_OUTCOMES'),
  'billing.channel.*': CHANNELS,
  'billing.channelName.*': CHANNELS,
  'billing.unit.*': CHANNELS,
  'customers.state.*': ofContract('customer/customer-states', 'ACCOUNT_STATES'),
  'bulk.title.*': ofContract('office/bulk-actions', 'BULK_ACTIONS'),
  'bulk.one.*': ofContract('office/bulk-actions', 'BULK_ACTIONS'),
  'bulk.hint.*': ofContract('office/bulk-actions', 'BULK_ACTIONS'),
  'bulk.confirm.*': ofContract('office/bulk-actions', 'BULK_ACTIONS'),
  'bulk.run.*': ofContract('office/bulk-actions', 'BULK_ACTIONS'),
  'routes.policy.*': ofContract('traffic/lane-rules', 'ROUTE_POLICIES'),
  'queue.state.*': ofContract('traffic/lane-queue', 'QUEUE_STATES'),
  'details.cancelled.*': ofContract('traffic/message-details', 'CANCELLED_REASONS'),
  'details.diverted.*': ofContract('traffic/message-details', 'DIVERTED_REASONS'),
  'details.routed.*': ofContract('traffic/message-details', 'ROUTED_REASONS'),
  'details.step.*': ofContract('traffic/message-details', 'STEP_KINDS'),
  'details.waiting.*': ofContract('traffic/message-details', 'WAITING_REASONS'),
  'details.way.*': ofContract('traffic/message-details', 'MESSAGE_WAYS'),
  'devices.hold.*': ofContract('fleet/devices', 'DEVICE_HOLDS'),
  'devices.reason.*': ofContract('fleet/devices', 'DEVICE_REASONS'),
  'error.*': ofContract('ground/errors', 'ERROR_CODES'),
  'events.fault.*': ofContract('traffic/event-values', 'ANSWER_FAULTS'),
  'events.state.*': ofContract('traffic/event-values', 'EVENT_STATES'),
  'events.type.*': ofContract('traffic/event-values', 'EVENT_TYPES'),
  'integration.outcome.*': ofContract('customer/integration', 'CALL_OUTCOMES'),
  'devices.status.*': ofContract('fleet/devices', 'DEVICE_STATUSES'),
  'lane.mode.*': ofContract('traffic/lanes', 'LANE_MODES'),
  'ledger.kind.*': ofContract('customer/entry-kinds', 'ENTRY_KINDS'),
  'messages.status.*': ofContract('traffic/message-values', 'MESSAGE_STATUSES'),
  'messages.method.*': ofContract('traffic/message-values', 'SIM_METHODS'),
  'opt_out.source.*': ofContract('customer/opt-outs', 'OPT_OUT_SOURCES'),
  'opt_outs.source.*': ofContract('customer/opt-outs', 'OPT_OUT_SOURCES'),
  'overview.concern.*': ofContract('office/overview', 'CONCERNS'),
  'payment.status.*': ofContract('customer/wallet', 'PAYMENT_STATUSES'),
  'payment.type.*': ofContract('customer/wallet', 'PAYMENT_TYPES'),
  'qf.outcome.*': ofContract('office/query', 'QUERY_OUTCOMES'),
  'query.refused.*': ofContract('office/query', 'QUERY_REFUSALS'),
  'phones.flag.*': ofContract('fleet/phone-rules', 'PHONE_FLAGS'),
  'phones.throttle.*': ofContract('fleet/phone-rules', 'PHONE_THROTTLES'),
  'phones.way.*': ofContract('fleet/phone-rules', 'PHONE_CHANNELS'),
  'report.by.*': ofContract('office/office-values', 'REPORT_DIMENSIONS'),
  'routing.channel.*': CHANNELS,
  'sandboxCard.*': { ...ofContract('customer/sandbox-cards', 'SANDBOX_CARDS'), key: 'kind' },
  'send.channel.*': CHANNELS,
  'send.simulator.*': { ...ofContract('traffic/simulator', 'SIMULATED_RECIPIENTS'), key: 'kind' },
  'send.unit_price.*': CHANNELS,
  'wallet.channel.*': CHANNELS,
  'wallet.entry.*': ofContract('customer/entry-kinds', 'ENTRY_KINDS'),
  'wallet.payment.*': ofContract('customer/wallet', 'PAYMENT_TYPES'),
};

const read = async (root: string, { file, name, key }: Values): Promise<string[]> => {
  const path = join(root, file);
  if (!existsSync(path)) return [];
  const found = ((await import(pathToFileURL(path).href)) as Record<string, unknown>)[name];
  return Array.isArray(found) ? found.map((value) => String(key === undefined ? value : value[key])) : [];
};

/** Every label that a composed one may become, by its pattern. */
export const composedLabels = async (root: string): Promise<Map<string, string[]>> =>
  new Map(
    await Promise.all(
      Object.entries(COMPOSED).map(
        async ([pattern, values]): Promise<[string, string[]]> => [
          pattern,
          (await read(root, values)).map((value) => pattern.replace('*', value)),
        ],
      ),
    ),
  );
