create table sms_countries (
  country text primary key,
  country_code text not null,
  position int not null
);
insert into sms_countries (country, country_code, position) values
  ('HK', '+852', 1), ('CN', '+86', 2), ('SG', '+65', 3), ('US', '+1', 4), ('PH', '+63', 5), ('KH', '+855', 6);
