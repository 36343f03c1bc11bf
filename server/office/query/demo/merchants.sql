-- The merchants of a zone that is made up: {{zone}} of {{count}}. The tables hold secrets; the user of the query tool
-- reads the views of the schema masked, which show only that there is one, and nothing else.
create schema if not exists masked;

create table merchant (
  id varchar(20) primary key,
  name varchar(120) not null,
  legal_name varchar(200) not null,
  status varchar(20) not null,
  country char(2) not null,
  currency char(3) not null,
  industry varchar(40) not null,
  monthly_volume numeric(12, 2) not null,
  created_at timestamptz not null
);
create table profile (
  id varchar(20) primary key,
  merchant_id varchar(20) not null references merchant (id),
  contact_name varchar(80) not null,
  email varchar(120) not null,
  phone varchar(30) not null,
  role varchar(30) not null,
  language varchar(10) not null,
  password_hash text not null,
  last_login_at timestamptz
);
create table relation (
  id varchar(20) primary key,
  merchant_id varchar(20) not null references merchant (id),
  related_id varchar(20) not null references merchant (id),
  kind varchar(30) not null,
  since date not null
);
create table app (
  id varchar(20) primary key,
  merchant_id varchar(20) not null references merchant (id),
  name varchar(80) not null,
  platform varchar(20) not null,
  bundle_id varchar(120) not null,
  status varchar(20) not null,
  api_token text not null,
  webhook_secret text,
  requests_last_30_days int not null,
  created_at timestamptz not null
);

-- The same numbers give the same merchants in every installation.
insert into merchant
select '{{prefix}}' || (100000 + n),
  (array{{places}})[1 + n % 12] || ' ' || (array['Noodle House', 'Dental Clinic', 'Pet Care', 'Bakery', 'Fitness',
    'Optical', 'Logistics', 'Tutoring', 'Florist', 'Hardware', 'Travel', 'Music School', 'Tea Room'])[1 + n % 13]
    || case when n > 156 then ' ' || (n / 156 + 1) else '' end,
  (array{{places}})[1 + n % 12] || ' ' || (array['Catering', 'Healthcare', 'Retail', 'Foods', 'Leisure'])[1 + n % 5]
    || ' {{suffix}}',
  (array['active', 'active', 'active', 'active', 'trial', 'suspended', 'closed'])[1 + n % 7],
  (array{{countries}})[1 + n % 4], (array{{currencies}})[1 + n % 4],
  (array['food', 'health', 'pets', 'food', 'sport', 'health', 'logistics', 'education', 'retail', 'retail', 'travel',
    'education', 'food'])[1 + n % 13],
  round((500 + (n * 7919) % 90000)::numeric / 3, 2),
  timestamptz '2024-01-05 09:00+08' + n * interval '41 hours 17 minutes'
from generate_series(1, {{count}}) as n;

insert into profile
select 'P' || (200000 + n),
  '{{prefix}}' || (100000 + 1 + (n - 1) / 2),
  (array['Chan Tai Man', 'Wong Siu Ling', 'Lee Ka Yan', 'Ho Wing Sze', 'Cheung Chi Keung', 'Amy Lau', 'Jason Ng',
    'Priya Nair', 'Marco Rossi', 'Sokha Chea', 'Maria Santos'])[1 + n % 11],
  lower((array['taiman', 'siuling', 'kayan', 'wingsze', 'chikeung', 'amy', 'jason', 'priya', 'marco', 'sokha',
    'maria'])[1 + n % 11]) || n || '@' || (array['example.com', 'example.org', 'example.net'])[1 + n % 3],
  '{{calling}} ' || (5000 + (n * 37) % 4999) || ' ' || lpad(((n * 7717) % 10000)::text, 4, '0'),
  (array['owner', 'finance', 'operator'])[1 + n % 3],
  (array['zh_HK', 'en_US'])[1 + n % 2],
  '$argon2id$v=19$m=19456,t=2,p=1$' || md5('salt' || n) || '$' || md5('hash' || n),
  case when n % 5 > 0 then timestamptz '2026-10-01 08:00+08' + (n * 53 % 1000) * interval '1 hour' end
from generate_series(1, {{count}} * 2) as n;

insert into relation
select 'R' || (300000 + n), '{{prefix}}' || (100000 + n), '{{prefix}}' || (100000 + 1 + (n * 11) % {{count}}),
  (array['branch', 'parent company', 'reseller', 'referred by'])[1 + n % 4],
  date '2024-03-01' + n
from generate_series(1, {{count}} * 3 / 5) as n
where n <> 1 + (n * 11) % {{count}};

insert into app
select 'A' || (400000 + n), '{{prefix}}' || (100000 + 1 + (n * 3) % {{count}}),
  (array['Booking', 'Loyalty', 'Reminders', 'Point of sale', 'Orders', 'Support desk'])[1 + n % 6],
  (array['ios', 'android', 'web', 'server'])[1 + n % 4],
  'com.example.{{lower}}.app' || n,
  (array['live', 'live', 'live', 'test', 'revoked'])[1 + n % 5],
  'tok_' || md5('token' || n),
  case when n % 3 = 0 then 'whsec_' || md5('webhook' || n) end,
  (n * 1237) % 250000,
  timestamptz '2024-02-01 10:00+08' + n * interval '23 hours'
from generate_series(1, {{count}} * 4 / 3) as n;

create index on profile (merchant_id);
create index on relation (merchant_id);
create index on relation (related_id);
create index on app (merchant_id);

create view masked.merchant as select * from merchant;
create view masked.profile as
  select id, merchant_id, contact_name, email, phone, role, language, '••••••'::text as password_hash, last_login_at
  from profile;
create view masked.relation as select * from relation;
create view masked.app as
  select id, merchant_id, name, platform, bundle_id, status, '••••••'::text as api_token,
    case when webhook_secret is not null then '••••••' end as webhook_secret, requests_last_30_days, created_at
  from app;
analyze;
