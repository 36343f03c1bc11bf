-- What is sent with it goes through a simulator and costs nothing. Accounts made before get theirs when it is first shown.
alter table accounts
  add column test_secret_hash bytea,
  add column test_secret_sealed bytea,
  add check ((test_secret_hash is null) = (test_secret_sealed is null));
create unique index accounts_test_secret_hash on accounts (test_secret_hash) where test_secret_hash is not null;
