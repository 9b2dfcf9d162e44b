-- Tables of the application, and all of their rows.
SELECT count(*), coalesce(sum((xpath('/row/rows/text()', query_to_xml(
  format('SELECT count(*) AS rows FROM %I.%I', nspname, relname), false, true, '')))[1]::text::bigint), 0)
FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
WHERE relkind = 'r' AND nspname NOT IN ('pg_catalog', 'information_schema') AND nspname NOT LIKE 'pg\_toast%'
  AND has_table_privilege(pg_class.oid, 'SELECT');
