import { call } from '../../ground/api/call.ts';
import { t } from '../../ground/i18n/translate.ts';
import { anything, FieldsDialog } from '../../ground/ui/forms/fields-dialog.tsx';
import { faultyLine, pairsOf } from '../../ground/ui/lines.ts';

const SETTING = /^([A-Z][A-Z0-9_]{1,63})\s*=(.*)$/;

const settingsFault = (typed: string) => {
  const line = faultyLine(typed, SETTING);
  return line !== undefined && t('lanes.line_invalid', { line });
};
const nameFault = (typed: string) =>
  !/^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/.test(typed) && t('lanes.name_invalid');

interface MakeLaneProps {
  providers: string[];
  opened: boolean;
  onClose: () => void;
}

/** Makes a lane by the settings of its provider; its route, cost and countries are edited then. */
export const MakeLane = ({ providers, opened, onClose }: MakeLaneProps) => (
  <FieldsDialog
    opened={opened}
    onClose={onClose}
    title={t('lanes.make')}
    text={t('lanes.make_hint')}
    fields={[
      { name: 'name', label: t('lanes.name'), maxLength: 63, fault: nameFault },
      {
        name: 'provider',
        label: t('lanes.provider'),
        initial: providers[0] ?? '',
        options: providers.map((value) => ({ value, label: value })),
        fault: anything,
      },
      {
        name: 'settings',
        label: t('lanes.settings'),
        description: t('lanes.settings_hint'),
        kind: 'lines',
        fault: settingsFault,
      },
    ]}
    submit={async ({ name = '', provider = '', settings = '' }) => {
      await call('POST /admin/lanes', { body: { name, provider, settings: pairsOf(settings, SETTING) } });
      return { message: t('lanes.made') };
    }}
  />
);
