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

-- Which carrier's numbers begin with what; the longest prefix counts. Edited by admins.
create table carrier_prefixes (
  prefix text primary key,
  carrier text not null
);
