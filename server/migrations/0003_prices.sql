-- Prices in micro-dollars a unit: a segment of an SMS, a WhatsApp message, an email. A number is sold only where it has
-- a row: for its country, and for its range if that is not an ordinary one. Of two rows the one with the carrier wins.
-- What a row said while it was in force is never changed: another price is another row.
create table prices (
  id int generated always as identity primary key,
  channel text not null check (channel in ('sms', 'whatsapp', 'email')),
  -- Two letters; '' for email, and for the ranges that belong to no country.
  country text not null default '',
  carrier text not null default '',
  -- '': ordinary numbers.
  number_range text not null default ''
    check (number_range in ('', 'premium', 'shared-cost', 'universal', 'personal', 'satellite')),
  unit_micros bigint not null check (unit_micros >= 0),
  valid_from timestamptz not null default now(),
  -- Null: until another is set.
  valid_until timestamptz check (valid_until > valid_from),
  -- No row prices the ordinary numbers of the whole world.
  constraint prices_destination check (
    case channel when 'email' then country = '' and number_range = '' else country <> '' or number_range <> '' end)
);
create unique index prices_from on prices (channel, country, carrier, number_range, valid_from);
create unique index prices_open on prices (channel, country, carrier, number_range) where valid_until is null;

-- HK$0.25 a segment at 7.8 HKD a USD, to the nearest micro-dollar; for the countries that startup data names.
insert into prices (channel, country, unit_micros)
select channel, country, unit_micros
from (values ('sms', 32051), ('whatsapp', 20000)) as start (channel, unit_micros)
cross join unnest(array['HK', 'CN', 'SG', 'US', 'PH', 'KH']) as country;
insert into prices (channel, unit_micros) values ('email', 1000);
