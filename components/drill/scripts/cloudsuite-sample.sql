-- Files with their objects; an encrypted object is larger than its file. (nextcloud/server
-- lib/private/Files/ObjectStore/ObjectStoreStorage.php; tables filecache, storages, mimetypes)
SELECT fileid, 'urn:oid:' || fileid, CASE encrypted WHEN 0 THEN size END
FROM oc_filecache
  JOIN oc_storages ON numeric_id = storage
  JOIN oc_mimetypes ON oc_mimetypes.id = oc_filecache.mimetype
WHERE oc_storages.id LIKE 'object::%' AND oc_mimetypes.mimetype <> 'httpd/unix-directory' AND size >= 0
  AND (NULLIF(:'ids', '') IS NULL OR fileid = ANY (NULLIF(:'ids', '')::bigint[]))
ORDER BY random() LIMIT :sample;
