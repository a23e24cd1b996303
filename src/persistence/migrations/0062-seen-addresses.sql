-- Brands whose addresses a member could see before they lost the right to, each with the last moment of that: what their removal asks
-- about. Of changes from before it is not known.
alter table memberships add column addresses_seen jsonb not null default '{}';

-- Addresses of imports that still have the query that they came with: those from before are cut, and then this has no rows.
create index media_items_queries on media_items (id) where source_url ~ '[?#]';
create index media_uploads_queries on media_uploads (id) where status in ('READY', 'FAILED') and url ~ '[?#]';
