-- Seconds of the newest push. (goharbor/harbor make/migrations/postgresql, table artifact)
SELECT floor(extract(epoch FROM max(push_time)))::bigint FROM artifact WHERE push_time <= to_timestamp(:cutoff);
