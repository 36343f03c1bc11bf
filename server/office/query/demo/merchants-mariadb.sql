-- The merchants of {{zone}} once more, for MariaDB: the same numbers give the same merchants. Tables with secrets lie in
-- a database of their own; the user of the query tool reads its views, which show only that there is one. All of it can
-- run again where it was made before.
create database if not exists {{vault}} character set utf8mb4;
create database if not exists {{database}} character set utf8mb4;
use {{database}};

create table if not exists merchant (
  id varchar(20) primary key,
  name varchar(120) not null,
  legal_name varchar(200) not null,
  status varchar(20) not null,
  country char(2) not null,
  currency char(3) not null,
  industry varchar(40) not null,
  monthly_volume decimal(12, 2) not null,
  created_at datetime not null
);
create table if not exists {{vault}}.profile (
  id varchar(20) primary key,
  merchant_id varchar(20) not null,
  contact_name varchar(80) not null,
  email varchar(120) not null,
  phone varchar(30) not null,
  role varchar(30) not null,
  language varchar(10) not null,
  password_hash text not null,
  last_login_at datetime,
  index (merchant_id)
);
create table if not exists relation (
  id varchar(20) primary key,
  merchant_id varchar(20) not null,
  related_id varchar(20) not null,
  kind varchar(30) not null,
  since date not null,
  index (merchant_id),
  index (related_id)
);
create table if not exists {{vault}}.app (
  id varchar(20) primary key,
  merchant_id varchar(20) not null,
  name varchar(80) not null,
  platform varchar(20) not null,
  bundle_id varchar(120) not null,
  status varchar(20) not null,
  api_token text not null,
  webhook_secret text,
  requests_last_30_days int not null,
  created_at datetime not null,
  index (merchant_id)
);

insert ignore into merchant
with recursive numbers as (select 1 as n union all select n + 1 from numbers where n < {{count}})
select concat('{{prefix}}', 100000 + n),
  concat(elt(1 + n % 12, {{placeList}}), ' ', elt(1 + n % 13, 'Noodle House', 'Dental Clinic', 'Pet Care', 'Bakery',
    'Fitness', 'Optical', 'Logistics', 'Tutoring', 'Florist', 'Hardware', 'Travel', 'Music School', 'Tea Room'),
    if(n > 156, concat(' ', n div 156 + 1), '')),
  concat(elt(1 + n % 12, {{placeList}}), ' ', elt(1 + n % 5, 'Catering', 'Healthcare', 'Retail', 'Foods', 'Leisure'),
    ' {{suffix}}'),
  elt(1 + n % 7, 'active', 'active', 'active', 'active', 'trial', 'suspended', 'closed'),
  elt(1 + n % 4, {{countryList}}), elt(1 + n % 4, {{currencyList}}),
  elt(1 + n % 13, 'food', 'health', 'pets', 'food', 'sport', 'health', 'logistics', 'education', 'retail', 'retail',
    'travel', 'education', 'food'),
  round((500 + (n * 7919) % 90000) / 3, 2),
  timestamp '2024-01-05 01:00:00' + interval n * (41 * 60 + 17) minute
from numbers;

insert ignore into {{vault}}.profile
with recursive numbers as (select 1 as n union all select n + 1 from numbers where n < {{count}} * 2)
select concat('P', 200000 + n), concat('{{prefix}}', 100000 + 1 + (n - 1) div 2),
  elt(1 + n % 11, 'Chan Tai Man', 'Wong Siu Ling', 'Lee Ka Yan', 'Ho Wing Sze', 'Cheung Chi Keung', 'Amy Lau',
    'Jason Ng', 'Priya Nair', 'Marco Rossi', 'Sokha Chea', 'Maria Santos'),
  concat(elt(1 + n % 11, 'taiman', 'siuling', 'kayan', 'wingsze', 'chikeung', 'amy', 'jason', 'priya', 'marco', 'sokha',
    'maria'), n, '@', elt(1 + n % 3, 'example.com', 'example.org', 'example.net')),
  concat('{{calling}} ', 5000 + (n * 37) % 4999, ' ', lpad((n * 7717) % 10000, 4, '0')),
  elt(1 + n % 3, 'owner', 'finance', 'operator'),
  elt(1 + n % 2, 'zh_HK', 'en_US'),
  concat('$argon2id$v=19$m=19456,t=2,p=1$', md5(concat('salt', n)), '$', md5(concat('hash', n))),
  if(n % 5 > 0, timestamp '2026-10-01 00:00:00' + interval n * 53 % 1000 hour, null)
from numbers;

insert ignore into relation
with recursive numbers as (select 1 as n union all select n + 1 from numbers where n < {{count}} * 3 div 5)
select concat('R', 300000 + n), concat('{{prefix}}', 100000 + n),
  concat('{{prefix}}', 100000 + 1 + (n * 11) % {{count}}),
  elt(1 + n % 4, 'branch', 'parent company', 'reseller', 'referred by'),
  date '2024-03-01' + interval n day
from numbers
where n <> 1 + (n * 11) % {{count}};

insert ignore into {{vault}}.app
with recursive numbers as (select 1 as n union all select n + 1 from numbers where n < {{count}} * 4 div 3)
select concat('A', 400000 + n), concat('{{prefix}}', 100000 + 1 + (n * 3) % {{count}}),
  elt(1 + n % 6, 'Booking', 'Loyalty', 'Reminders', 'Point of sale', 'Orders', 'Support desk'),
  elt(1 + n % 4, 'ios', 'android', 'web', 'server'),
  concat('com.example.{{lower}}.app', n),
  elt(1 + n % 5, 'live', 'live', 'live', 'test', 'revoked'),
  concat('tok_', md5(concat('token', n))),
  if(n % 3 = 0, concat('whsec_', md5(concat('webhook', n))), null),
  (n * 1237) % 250000,
  timestamp '2024-02-01 02:00:00' + interval n * 23 hour
from numbers;

create or replace view profile as
  select id, merchant_id, contact_name, email, phone, role, language, '••••••' as password_hash, last_login_at
  from {{vault}}.profile;
create or replace view app as
  select id, merchant_id, name, platform, bundle_id, status, '••••••' as api_token,
    if(webhook_secret is null, null, '••••••') as webhook_secret, requests_last_30_days, created_at
  from {{vault}}.app;

create user if not exists {{user}}@'%' identified by '{{password}}';
alter user {{user}}@'%' identified by '{{password}}';
grant select, show view on {{database}}.* to {{user}}@'%';
