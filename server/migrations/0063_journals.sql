-- Whether all that the worker hands to carriers is in its journal, a file on its machine: then a restart there knows
-- which of its claims were never handed over.
alter table workers add column journaled boolean not null default false;
