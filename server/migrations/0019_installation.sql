-- Facts about this installation, such as which SECRET_KEY its secrets are sealed with.
create table installation (
  name text primary key,
  value text not null
);
