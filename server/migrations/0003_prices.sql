-- Prices in micro-dollars a unit: a segment of an SMS, a WhatsApp message, an email. The most precise row wins:
-- carrier before country before any ('').
create table prices (
  channel text not null check (channel in ('sms', 'whatsapp', 'email')),
  country text not null default '',
  carrier text not null default '',
  unit_micros bigint not null check (unit_micros >= 0),
  primary key (channel, country, carrier)
);
-- HK$0.25 a segment at 7.8 HKD a USD, to the nearest micro-dollar.
insert into prices (channel, unit_micros) values ('sms', 32051), ('whatsapp', 20000), ('email', 1000);
