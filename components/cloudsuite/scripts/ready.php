<?php
// Readiness of a web pod: status.php (first argument: its URL) answers 200 also where nothing is installed or an upgrade is pending,
// so its body decides. Under maintenance the pod stays ready, since it serves the page that says so.

$body = @file_get_contents($argv[1], false, stream_context_create(['http' => ['timeout' => 8, 'ignore_errors' => true]]));
$status = json_decode($body === false ? '' : $body, true);
if (($status['installed'] ?? false) !== true || ($status['needsDbUpgrade'] ?? true) !== false) {
    fwrite(STDERR, 'Not ready: ' . ($body === false ? 'no answer' : substr($body, 0, 300)) . "\n");
    exit(1);
}
