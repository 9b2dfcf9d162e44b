<?php
// Stands in for Nextcloud's occ where scripts run in tests: keeps what it is told in the file STATE, and writes each call into CALLS.
// Options, answers and exit statuses are those of nextcloud/server core/Command/User and nextcloud/user_oidc lib/Command/UpsertProvider.php.

$state = json_decode(file_get_contents(getenv('STATE')), true);
$arguments = array_slice($argv, 1);
file_put_contents(getenv('CALLS'), implode(' ', array_diff($arguments, ['--no-interaction'])) . "\n", FILE_APPEND);

$options = [];
$words = [];
foreach ($arguments as $argument) {
    if (preg_match('/^--([a-z-]+)(?:=(.*))?$/s', $argument, $match)) {
        $options[$match[1]] = $match[2] ?? true;
    } else {
        $words[] = $argument;
    }
}
[$command, $first, $second, $third, $fourth] = $words + ['', null, null, null, null];
if (in_array($command, $state['failing'] ?? [], true)) {
    echo "$command failed\n";
    exit(1);
}

/** Options of user_oidc:provider that a suite is set up with. (nextcloud/user_oidc 8.10.1 lib/Command/UpsertProvider.php) */
const PROVIDER_OPTIONS = [
    'output', 'no-interaction', 'clientid', 'clientsecret', 'clientsecret-file', 'clientsecret-env', 'discoveryuri',
    'endsessionendpointuri', 'postlogouturi', 'scope', 'unique-uid', 'check-bearer', 'bearer-provisioning',
    'send-id-token-hint', 'mapping-display-name', 'mapping-email', 'mapping-quota', 'mapping-uid', 'mapping-groups',
    'extra-claims', 'group-provisioning', 'group-whitelist-regex', 'group-restrict-login-to-whitelist',
    'entraid-group-names', 'resolve-nested-claims',
];

function save(array $state): void {
    file_put_contents(getenv('STATE'), json_encode($state));
}

function provider(array $state, string $identifier, array $options): int {
    $known = $state['providers'][$identifier] ?? null;
    foreach (array_diff(array_keys($options), PROVIDER_OPTIONS) as $unknown) {
        echo "The \"--$unknown\" option does not exist.\n";
        return 1;
    }
    $given = array_diff_key($options, array_flip(['output', 'no-interaction', 'clientsecret-env']));
    if ($given === []) {
        if ($known === null) {
            echo "Provider not found\n";
            return 255;
        }
        $shown = ['id' => $known['id'], 'identifier' => $identifier, 'clientId' => $known['clientid']];
        echo json_encode([...$shown, 'settings' => ['providerId' => 99]]) . "\n";
        return 0;
    }
    $secret = isset($options['clientsecret-env']) ? getenv($options['clientsecret-env']) : null;
    if ($known === null && (!$secret || !isset($given['clientid'], $given['discoveryuri']))) {
        echo "Provider must be created. All provider parameters required.\n";
        return 255;
    }
    $known ??= ['id' => count($state['providers'] ?? []) + 7];
    $state['providers'][$identifier] = [...$known, ...$given, ...($secret ? ['secret' => $secret] : [])];
    $state['history'][] = [$state['providers'][$identifier]['clientid'], http_build_query($state['apps']['user_oidc'] ?? [])];
    save($state);
    return 0;
}

function setting(array $state, string $uid, string $app, string $key, ?string $value, bool $delete): int {
    if ($value !== null) {
        $state['users'][$uid]['settings'][$app][$key] = $value;
    } elseif (!isset($state['users'][$uid]['settings'][$app][$key])) {
        echo "The setting does not exist for user.\n";
        return 1;
    } elseif ($delete) {
        unset($state['users'][$uid]['settings'][$app][$key]);
    } else {
        echo $state['users'][$uid]['settings'][$app][$key] . "\n";
    }
    save($state);
    return 0;
}

function users(array $state, array $options): int {
    $found = array_filter($state['users'], fn ($user) => !isset($options['disabled']) || !$user['enabled']);
    $page = array_slice($found, (int) $options['offset'], (int) $options['limit'], true);
    echo json_encode((object) array_map(fn ($user) => $user['name'] ?? '', $page)) . "\n";
    return 0;
}

function enable(array $state, string $uid, bool $on): int {
    $state['users'][$uid]['enabled'] = $on;
    save($state);
    return 0;
}

function app_setting(array $state, string $app, string $key, array $options): int {
    $state['apps'][$app][$key] = $options['value'];
    save($state);
    return 0;
}

/** What is not there counts as deleted. (nextcloud/server core/Command/Config/{App,System}/DeleteConfig.php) */
function deleted(array $state, array $path): int {
    $block = &$state;
    foreach (array_slice($path, 0, -1) as $key) {
        $block = &$block[$key];
    }
    unset($block[end($path)]);
    save($state);
    return 0;
}

exit(match ($command) {
    'user_oidc:provider' => provider($state, $first, $options),
    'config:app:set' => app_setting($state, $first, $second, $options),
    'config:app:delete' => deleted($state, ['apps', $first, $second]),
    'config:system:delete' => deleted($state, ['system', $first]),
    // 2: not a trusted proxy; 1: all else. (nextcloud/notify_push lib/SelfTest.php)
    'notify_push:self-test' => $state['selfTest'] ?? 0,
    'user:list' => users($state, $options),
    'user:disable' => enable($state, $first, false),
    'user:enable' => enable($state, $first, true),
    'user:setting' => setting($state, $first, $second, $third, $fourth, isset($options['delete'])),
});
