import { call } from '../../ground/api/call.ts';
import { t } from '../../ground/i18n/translate.ts';
import { FieldsDialog, needed } from '../../ground/ui/forms/fields-dialog.tsx';
import type { Lane } from './lanes-query.ts';

interface TestLaneProps {
  lane: Lane;
  opened: boolean;
  onClose: () => void;
}

/** Sends a message by this lane and no other. */
export const TestLane = ({ lane, opened, onClose }: TestLaneProps) => (
  <FieldsDialog
    opened={opened}
    onClose={onClose}
    title={t('lanes.test_title', { lane: lane.name })}
    text={t('lanes.test_hint')}
    confirm={t('lanes.test')}
    fields={[
      { name: 'phone', label: t('lanes.test_to'), maxLength: 320, fault: needed(t('lanes.test_to_missing')) },
      {
        name: 'message',
        label: t('lanes.test_text'),
        maxLength: 1_000,
        fault: needed(t('lanes.test_text_missing')),
      },
    ]}
    submit={async ({ phone = '', message = '' }) => {
      await call('POST /admin/lanes/:laneId/test', {
        params: { laneId: lane.id },
        body: { phone, message },
      });
      return { message: t('lanes.tested') };
    }}
  />
);
