-- Results and receipts are recorded in one way, whatever they are: no statement has to undo itself any more.
drop function require_fast_path(boolean);
