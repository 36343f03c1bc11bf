import type { MerchantFound } from '../../../contract/office/query.ts';
import { t } from '../../ground/i18n/translate.ts';
import { Facts } from '../../ground/ui/layout/facts.tsx';
import { Tag, type Tone } from '../../ground/ui/tag.tsx';
import classes from './query.module.css';

interface MerchantCardProps {
  found: MerchantFound;
  onMerchant: (id: string) => void;
  onQuery: (sql: string) => void;
}

const TONES: Record<string, Tone> = {
  active: 'good',
  live: 'good',
  trial: 'wait',
  test: 'wait',
  suspended: 'bad',
};

/** Ids come from the database, and only those that need no quoting are offered as statements. */
const quoted = (id: string): string => `'${id.replaceAll("'", "''")}'`;

const HEAD = ['id', 'name', 'status'];

/** A merchant with people, relations and apps; each link leads to its rows or to the other merchant. */
export const MerchantCard = ({
  found: { merchant, profiles, relations, apps },
  onMerchant,
  onQuery,
}: MerchantCardProps) => {
  const id = merchant.id ?? '';
  const rowsOf = (table: string, column: string) => () =>
    onQuery(`select * from ${table} where ${column} = ${quoted(id)}`);
  return (
    <li className={classes.card}>
      <div className={classes.head}>
        <h3>{merchant.name}</h3>
        {merchant.status && <Tag tone={TONES[merchant.status] ?? 'plain'}>{merchant.status}</Tag>}
      </div>
      <button type="button" className={classes.link} onClick={rowsOf('merchant', 'id')}>
        {id}
      </button>
      <Facts
        facts={Object.entries(merchant)
          .filter(([name]) => !HEAD.includes(name))
          .map(([name, value]) => ({ label: name, value }))}
      />
      <h4>
        <button type="button" className={classes.link} onClick={rowsOf('profile', 'merchant_id')}>
          {t('qf.profiles', { count: profiles.length })}
        </button>
      </h4>
      <ul>
        {profiles.map((profile) => (
          <li key={profile.id}>
            {profile.contact_name} <a href={`mailto:${profile.email}`}>{profile.email}</a> {profile.phone}
          </li>
        ))}
      </ul>
      <h4>
        <button type="button" className={classes.link} onClick={rowsOf('relation', 'merchant_id')}>
          {t('qf.relations', { count: relations.length })}
        </button>
      </h4>
      <ul>
        {relations.map((relation) => {
          const outgoing = relation.merchant_id === id;
          const other = (outgoing ? relation.related_id : relation.merchant_id) ?? '';
          return (
            <li key={relation.id}>
              {outgoing ? `${relation.kind} →` : `← ${relation.kind}`}{' '}
              <button type="button" className={classes.link} onClick={() => onMerchant(other)}>
                {outgoing ? relation.related_name : relation.merchant_name} ({other})
              </button>
            </li>
          );
        })}
      </ul>
      <h4>
        <button type="button" className={classes.link} onClick={rowsOf('app', 'merchant_id')}>
          {t('qf.apps', { count: apps.length })}
        </button>
      </h4>
      <ul>
        {apps.map((app) => (
          <li key={app.id}>
            {app.name} ({app.platform}) {app.bundle_id}{' '}
            {app.status && <Tag tone={TONES[app.status] ?? 'plain'}>{app.status}</Tag>}
          </li>
        ))}
      </ul>
    </li>
  );
};
