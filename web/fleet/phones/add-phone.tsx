import { call } from '../../ground/api/call.ts';
import { t } from '../../ground/i18n/translate.ts';
import { anything, FieldsDialog, needed } from '../../ground/ui/forms/fields-dialog.tsx';

/** Adds a phone by its name; all else is edited in the table. */
export const AddPhone = ({ opened, onClose }: { opened: boolean; onClose: () => void }) => (
  <FieldsDialog
    opened={opened}
    onClose={onClose}
    title={t('phones.add')}
    text={t('phones.add_hint')}
    fields={[
      {
        name: 'name',
        label: t('phones.name'),
        maxLength: 100,
        about: /^E_PHONE_EXISTS/,
        fault: needed(t('phones.name_missing')),
      },
      {
        name: 'phoneNumber',
        label: t('phones.number'),
        maxLength: 40,
        about: /^E_PHONE_FIELD/,
        fault: anything,
      },
    ]}
    confirm={t('phones.add_button')}
    submit={async ({ name = '', phoneNumber = '' }) => {
      await call('POST /phoneNumberInventory', { body: { name, phoneNumber } });
      return { message: t('phones.added', { phone: name }) };
    }}
  />
);
