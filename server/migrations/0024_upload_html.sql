-- Emails of a file may have an HTML part too.
alter table upload_rows add column html text;
