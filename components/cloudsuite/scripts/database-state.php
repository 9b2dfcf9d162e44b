<?php
// Says what the suite's database holds: "empty"; "unfinished", where an installation was cut off before anyone could sign in;
// or "used". With the argument "forget-administrator" it removes the one account of an unfinished installation, and only of such a one:
// Nextcloud makes that account before it is done and refuses to make it twice.

[$host, $port] = explode(':', (string) getenv('NC_dbhost')) + [1 => '5432'];
$database = getenv('DATABASE_DSN') ?: "pgsql:host=$host;port=$port;dbname=" . getenv('NC_dbname');
$connection = new PDO($database, getenv('NC_dbuser') ?: null, getenv('NC_dbpassword') ?: null, [
    PDO::ATTR_ERRMODE => PDO::ERRMODE_EXCEPTION,
]);

function databaseState(PDO $connection): string {
    try {
        $users = (int) $connection->query('SELECT COUNT(*) FROM oc_users')->fetchColumn();
        $logins = $connection->query("SELECT COUNT(*) FROM oc_preferences WHERE configkey = 'lastLogin'");
    } catch (PDOException $failure) {
        // Undefined table, as PostgreSQL (42P01) and SQLite say it: nothing was installed here.
        if ($failure->getCode() === '42P01' || str_contains($failure->getMessage(), 'no such table')) {
            return 'empty';
        }
        throw $failure;
    }
    if ($users > 1 || (int) $logins->fetchColumn() > 0) {
        return 'used';
    }
    return $users === 1 ? 'unfinished' : 'empty';
}

$state = databaseState($connection);
if (($argv[1] ?? '') !== 'forget-administrator') {
    echo $state, "\n";
} elseif ($state === 'unfinished') {
    $connection->exec('DELETE FROM oc_users');
} else {
    fwrite(STDERR, "The database is $state: no account is removed.\n");
    exit(1);
}
