import { PHONE_THROTTLES, type PhoneThrottle } from '../../../contract/fleet/phone-rules.ts';
import { call } from '../../ground/api/call.ts';
import { t } from '../../ground/i18n/translate.ts';
import { anything, type Field, FieldsDialog, wholeNumber } from '../../ground/ui/forms/fields-dialog.tsx';
import { faultyLine, filledLines, pairsOf } from '../../ground/ui/lines.ts';
import type { Lane } from './lanes-query.ts';

const COST = /^\d{1,6}(\.\d{1,6})?$/;
const COUNTRY_COST = /^([A-Z]{2})\s+(\d{1,6}(?:\.\d{1,6})?)$/i;
const ACCOUNT = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Two letters each, such as `hk, sg`. */
const countriesOf = (typed: string): string[] =>
  typed
    .toUpperCase()
    .split(/[\s,]+/)
    .filter(Boolean);
const lineFault = (pattern: RegExp) => (typed: string) => {
  const line = faultyLine(typed, pattern);
  return line !== undefined && t('carriers.line_invalid', { line });
};

/** A country has one price. */
const countryCostFault = (typed: string) => {
  const lines = filledLines(typed);
  const countries = lines.map((line) => line.slice(0, 2).toUpperCase());
  const again = lines.find((_, at) => countries.indexOf(countries[at] ?? '') < at);
  const line = faultyLine(typed, COUNTRY_COST) ?? again;
  return line !== undefined && t('carriers.line_invalid', { line });
};

const fieldsOf = (lane: Lane): Field[] => [
  {
    name: 'cost',
    label: t('lanes.cost'),
    kind: 'decimal',
    initial: lane.cost,
    fault: (typed) => !COST.test(typed) && t('lanes.cost_invalid'),
  },
  {
    name: 'countryCosts',
    label: t('lanes.country_costs'),
    description: t('lanes.country_costs_hint'),
    kind: 'lines',
    rows: 2,
    initial: Object.entries(lane.countryCosts)
      .map((pair) => pair.join(' '))
      .join('\n'),
    fault: countryCostFault,
  },
  { name: 'route', label: t('lanes.route'), initial: lane.route, maxLength: 100, fault: anything },
  {
    name: 'preference',
    label: t('lanes.preference'),
    kind: 'decimal',
    initial: String(lane.preference),
    fault: wholeNumber({ least: 0, most: 1_000_000 }),
  },
  {
    name: 'carrierName',
    label: t('messages.carrier'),
    initial: lane.carrierName,
    maxLength: 100,
    fault: anything,
  },
  {
    name: 'countries',
    label: t('lanes.countries'),
    description: t('lanes.countries_hint'),
    initial: lane.countries.join(', '),
    maxLength: 2_000,
    fault: (typed) => !countriesOf(typed).every((one) => /^[A-Z]{2}$/.test(one)) && t('lanes.countries_hint'),
  },
  ...PHONE_THROTTLES.map(
    (throttle): Field => ({
      name: throttle,
      label: t('lanes.most_in', { span: t(`phones.throttle.${throttle}`) }),
      kind: 'decimal',
      initial: String(lane.throttle[throttle] ?? ''),
      fault: wholeNumber({ least: 0, most: 1_000_000_000, optional: true }),
    }),
  ),
  {
    name: 'dedicatedTo',
    about: /^E_ACCOUNT_UNKNOWN/,
    label: t('lanes.dedicated'),
    description: t('lanes.dedicated_hint'),
    kind: 'lines',
    rows: 2,
    initial: lane.dedicatedTo.join('\n'),
    fault: lineFault(ACCOUNT),
  },
  {
    name: 'place',
    label: t('lanes.place'),
    description: t('lanes.place_hint'),
    initial: lane.place,
    maxLength: 100,
    fault: anything,
  },
  ...Object.entries(lane.settings).map(
    ([name, value]): Field => ({
      name,
      label: name,
      maxLength: 20_000,
      fault: anything,
      ...(value === null ? { kind: 'secret', description: t('lanes.secret_hint') } : { initial: value }),
    }),
  ),
];

/** A secret is never shown: an empty field leaves it as it is. */
const settingsOf = (lane: Lane, typed: Record<string, string>) =>
  Object.fromEntries(
    Object.keys(lane.settings).flatMap((name) => {
      const value = typed[name];
      return value && value !== lane.settings[name]?.trim() ? [[name, value]] : [];
    }),
  );

const factsOf = (typed: Record<string, string>) => {
  const { cost = '', countryCosts = '', route = '', carrierName = '', place = '' } = typed;
  return {
    cost,
    countryCosts: pairsOf(countryCosts.toUpperCase(), COUNTRY_COST),
    route,
    preference: Number(typed.preference),
    carrierName,
    countries: countriesOf(typed.countries ?? ''),
    throttle: Object.fromEntries(
      PHONE_THROTTLES.map((name) => [name, typed[name] ? Number(typed[name]) : null]),
    ) as Record<PhoneThrottle, number | null>,
    dedicatedTo: filledLines(typed.dedicatedTo ?? ''),
    place,
  };
};

/** Only what was changed is sent: another admin may have changed the rest meanwhile. */
const changeOf = (lane: Lane, typed: Record<string, string>) => {
  const before = factsOf(Object.fromEntries(fieldsOf(lane).map(({ name, initial = '' }) => [name, initial])));
  const facts = Object.entries(factsOf(typed)).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof typeof before]),
  );
  const settings = settingsOf(lane, typed);
  return {
    ...(Object.fromEntries(facts) as Partial<typeof before>),
    ...(Object.keys(settings).length > 0 && { settings }),
  };
};

interface EditLaneProps {
  /** As it was when the dialog was opened. */
  lane: Lane;
  opened: boolean;
  onClose: () => void;
}

export const EditLane = ({ lane, opened, onClose }: EditLaneProps) => (
  <FieldsDialog
    opened={opened}
    onClose={onClose}
    title={t('lanes.edit_title', { lane: lane.name })}
    text={t('lanes.edit_hint')}
    confirm={t('contacts.save')}
    fields={fieldsOf(lane)}
    submit={async (typed) => {
      await call('PUT /admin/lanes/:laneId', { params: { laneId: lane.id }, body: changeOf(lane, typed) });
      return { message: t('bulk.ok') };
    }}
  />
);
