-- The caller's own reference of a message.
alter table messages add column identifier text;
create index messages_identifier on messages (identifier, account_id) where identifier is not null;
alter table upload_rows add column identifier text;
