create table carriers (
  name text primary key,
  short text not null,
  long text not null,
  country text not null
);
insert into carriers (name, short, long, country) values
  ('csl', 'csl', 'csl Mobile (HKT)', 'HK'),
  ('three', '3HK', 'Hutchison Telephone (3 Hong Kong)', 'HK'),
  ('smartone', 'SmarTone', 'SmarTone Mobile', 'HK'),
  ('cmhk', 'CMHK', 'China Mobile Hong Kong', 'HK');

create table sms_countries (
  country text primary key,
  country_code text not null,
  position int not null
);
insert into sms_countries (country, country_code, position) values
  ('HK', '+852', 1), ('CN', '+86', 2), ('SG', '+65', 3), ('US', '+1', 4), ('PH', '+63', 5), ('KH', '+855', 6);
