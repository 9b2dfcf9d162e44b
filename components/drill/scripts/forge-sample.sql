-- Projects with the paths of their repositories. (gitlabhq db/structure.sql, table project_repositories)
SELECT project_id, disk_path, NULL FROM project_repositories
WHERE NULLIF(:'ids', '') IS NULL OR project_id = ANY (NULLIF(:'ids', '')::bigint[])
ORDER BY random() LIMIT :sample;
