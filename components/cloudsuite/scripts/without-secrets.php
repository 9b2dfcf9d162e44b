<?php
// Writes a copy (second argument) of config.php (first argument) without the secrets that every pod has from its environment, which the
// further arguments name, for example redis.password. What has the keys to the data alone stays: secret and passwordsalt among them.

[, $source, $target] = $argv;
$secrets = array_slice($argv, 3);

function fail(string $message): never {
    fwrite(STDERR, "$message\n");
    exit(1);
}

function without(array $values, array $path): array {
    $key = array_shift($path);
    if ($path === []) {
        unset($values[$key]);
    } elseif (is_array($values[$key] ?? null)) {
        $values[$key] = without($values[$key], $path);
    }
    return $values;
}

// Nextcloud locks the file while it writes it. (nextcloud/server lib/private/Config.php)
$file = @fopen($source, 'r');
if ($file === false || !flock($file, LOCK_SH)) {
    fail("$source can't be read: the suite is not installed yet, or its volume is damaged.");
}
try {
    include $source;
} catch (ParseError) {
    fail("$source is not PHP. It is not copied, so that it displaces no good copy.");
}
fclose($file);

foreach (['secret', 'passwordsalt', 'instanceid'] as $key) {
    if (!isset($CONFIG[$key])) {
        fail("$source has no $key, without which no data can be used. It is not copied, so that it displaces no good copy.");
    }
}
foreach ($secrets as $secret) {
    $CONFIG = without($CONFIG, explode('.', $secret));
}
file_put_contents($target, "<?php\n\$CONFIG = " . var_export($CONFIG, true) . ";\n") || fail("$target can't be written.");
