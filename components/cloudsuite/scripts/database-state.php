<?php
// Says what the suite's database holds: "empty"; "unfinished", where an installation was cut off before anyone could sign in;
// or "used". With the argument "enabled-apps" it says which apps are on, one a line. With the argument "forget-administrator" it removes the one account of an unfinished installation, and only of such a one:
// Nextcloud makes that account before it is done and refuses to make it twice.

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

function databaseState(object $connection): string {
    $undefinedTable = '42P01';
    try {
        $users = (int) $connection->query('SELECT COUNT(*) FROM oc_users')->fetchColumn();
        $logins = (int) $connection->query("SELECT COUNT(*) FROM oc_preferences WHERE configkey = 'lastLogin'")->fetchColumn();
    } catch (PDOException $failure) {
        if ((string) $failure->getCode() === $undefinedTable) {
            return 'empty';
        }
        throw $failure;
    }
    if ($users > 1 || $logins > 0) {
        return 'used';
    }
    return $users === 1 ? 'unfinished' : 'empty';
}

try {
    $connection = connectDatabase();
    if (($argv[1] ?? '') === 'enabled-apps') {
        $apps = $connection->query("SELECT appid FROM oc_appconfig WHERE configkey = 'enabled' AND configvalue <> 'no' ORDER BY appid");
        echo implode("\n", $apps->fetchAll(PDO::FETCH_COLUMN)), "\n";
        exit(0);
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
} catch (PDOException $failure) {
    // The message alone: a stack trace could show the password.
    fwrite(STDERR, 'The database does not answer: ' . $failure->getMessage() . "\n");
    exit(1);
}
