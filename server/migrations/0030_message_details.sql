-- Each time a carrier put it off, oldest first: [{at, lane, code, reason}]. Null for nearly all: it is written only
-- by the statement that puts a message back.
alter table messages add column tries jsonb;
-- Sent from the pages, and not by a customer's program.
alter table batches add column by_page boolean not null default false;
