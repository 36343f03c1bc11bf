-- The texts of messages once more, in lower case and each account's side by side: a search reads these few pages
-- instead of all that lies between. Texts never change, so a row is written once, some time after its message. The
-- outbox makes a month's partition together with that of its messages.
create table message_texts (
  account_id uuid not null,
  created_at timestamptz not null,
  id uuid not null,
  text text not null
) partition by range (created_at);
create index message_texts_account on message_texts (account_id, created_at);
-- They are written in the order of time, for admins who search everyone's.
create index message_texts_created on message_texts using brin (created_at) with (autosummarize = on);

create table message_texts_progress (
  -- Every message made before this has its text in message_texts.
  done_until timestamptz not null
);
insert into message_texts_progress values (now() - interval '1 minute');
