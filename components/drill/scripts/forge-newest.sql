-- Seconds of the newest event: pushes, comments, merges. (gitlabhq db/structure.sql, table events)
SELECT floor(extract(epoch FROM max(created_at)))::bigint FROM events WHERE created_at <= to_timestamp(:cutoff);
