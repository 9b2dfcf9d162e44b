<?php
// Compares the version that the suite's database says it has with the image's (first argument: the image's folder), whatever the volume says:
// that may be new, or of another time. The record is the newest migration of Nextcloud's core that ran; the image has them as files.
// Exit status 1, with the remedy, where the database is newer. An older one is upgraded; one that is empty, or does not answer, has no say.

if (!function_exists('connectDatabase')) {
    function connectDatabase(): object {
        [$host, $port] = explode(':', getenv('NC_dbhost'));
        return new PDO(
            "pgsql:host=$host;port=$port;dbname=" . getenv('NC_dbname'),
            getenv('NC_dbuser'),
            getenv('NC_dbpassword'),
            [PDO::ATTR_ERRMODE => PDO::ERRMODE_EXCEPTION],
        );
    }
}

/** The newest of names like 31000Date20240814184402: by release, then by date. */
function newest(array $names): string {
    $known = preg_grep('/^\d+Date\d+$/', $names);
    usort($known, fn ($a, $b) => sscanf($a, '%dDate%d') <=> sscanf($b, '%dDate%d'));
    return end($known) ?: '';
}

try {
    $recorded = connectDatabase()->query("SELECT version FROM oc_migrations WHERE app = 'core'")->fetchAll(PDO::FETCH_COLUMN);
} catch (PDOException $failure) {
    $undefinedTable = '42P01';
    // The message alone: a stack trace could show the password.
    if ((string) $failure->getCode() !== $undefinedTable) {
        fwrite(STDERR, 'The database does not answer, so its version is not compared: ' . $failure->getMessage() . "\n");
    }
    exit(0);
}
$image = newest(array_map(fn ($file) => preg_replace('/^Version|\.php$/', '', $file), scandir($argv[1] . '/core/Migrations')));
$database = newest($recorded);
if ($image !== '' && newest([$database, $image]) !== $image) {
    $major = intdiv(sscanf($database, '%dDate%d')[0], 1000);
    fwrite(STDERR, "The database is of a newer suite than the image: its migration $database is unknown to the image, whose newest is $image.\n");
    fwrite(STDERR, "Set versions.cloudsuite to the version that the database had, $major or newer; it can't be downgraded.\n");
    exit(1);
}
