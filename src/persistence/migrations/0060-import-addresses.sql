-- What follows the path of an address that a file was imported from may open something (a signature, a token), and nothing is
-- fetched from it once the import has ended.
update media_items set source_url = regexp_replace(source_url, '[?#].*', '') where source_url ~ '[?#]';
update media_uploads set url = regexp_replace(url, '[?#].*', '') where url ~ '[?#]' and status in ('READY', 'FAILED');
