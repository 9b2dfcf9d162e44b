-- Seconds of the newest upload. (nextcloud/server lib/private/Files/Cache/Cache.php, table filecache_extended)
SELECT max(upload_time) FROM oc_filecache_extended WHERE upload_time BETWEEN 1 AND :cutoff;
