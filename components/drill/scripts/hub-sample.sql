-- Blobs with the paths at which the registry keeps them; foreign layers are kept elsewhere. (goharbor/harbor make/migrations/postgresql,
-- table blob; distribution registry/storage/paths.go)
SELECT id, 'docker/registry/v2/blobs/sha256/' || substr(digest, 8, 2) || '/' || substr(digest, 8) || '/data', size
FROM blob
WHERE digest LIKE 'sha256:%' AND status = 'none' AND content_type !~ 'foreign|nondistributable'
  AND (NULLIF(:'ids', '') IS NULL OR id = ANY (NULLIF(:'ids', '')::bigint[]))
ORDER BY random() LIMIT :sample;
