<?php
// CronJob: disables the accounts of people whom GitLab has blocked or deleted, and enables them again when GitLab has.
// Accounts that somebody else disabled stay so. Nothing is changed where GitLab does not answer for sure.

const MARK = ['hearth', 'blocked'];
/** People who may not sign in there. (gitlab-org/gitlab app/models/user.rb) */
const BLOCKED = ['blocked', 'ldap_blocked', 'banned', 'blocked_pending_approval'];
const PAGE = 100;

$gitlab = getenv('GITLAB_URL');
$prefix = getenv('SIGN_ON') . '-';
$html = getenv('HTML') ?: '/var/www/html';

function fail(string $message): never {
    fwrite(STDERR, "$message\n");
    exit(1);
}

/** @return array{int, mixed} status and content of GitLab's answer */
function ask(string $path): array {
    global $gitlab;
    $context = stream_context_create(['http' => [
        'header' => 'PRIVATE-TOKEN: ' . getenv('GITLAB_TOKEN'),
        'ignore_errors' => true,
        'follow_location' => 0,
        'timeout' => 30,
    ]]);
    $body = @file_get_contents("$gitlab/api/v4/$path", false, $context);
    if ($body === false) {
        fail("GitLab at $gitlab does not answer: " . (error_get_last()['message'] ?? '') . '. No account was changed.');
    }
    preg_match('#^HTTP/\S+ (\d+)#', $http_response_header[0] ?? '', $match);
    return [(int) ($match[1] ?? 0), json_decode($body, true)];
}

function refused(string $path, int $status): never {
    global $gitlab;
    $why = match (true) {
        $status === 401 => 'The token has ended or was revoked: put a new one into its Secret.',
        $status === 403 => 'The token lacks the scope read_user, or its user may not list users.',
        $status === 429 => 'It has been asked too often. The next run asks again.',
        default => 'The next run asks again.',
    };
    fail("GitLab at $gitlab answers $status to /api/v4/$path. $why");
}

/** @return array{int, string} exit status and output */
function occ(string ...$arguments): array {
    global $html;
    $process = proc_open(['php', "$html/occ", '--no-interaction', ...$arguments], [1 => ['pipe', 'w']], $pipes);
    $output = stream_get_contents($pipes[1]);
    return [proc_close($process), $output];
}

function change(string ...$arguments): void {
    [$status, $output] = occ(...$arguments);
    if ($status !== 0) {
        fail('occ ' . implode(' ', $arguments) . " ended with $status: $output");
    }
}

/** @return array<string, string> the names of accounts of the provider, by the ids of their users there */
function accounts(string ...$options): array {
    global $prefix;
    $found = [];
    for ($offset = 0; ; $offset += PAGE) {
        [$status, $output] = occ('user:list', '--output=json', '--limit=' . PAGE, "--offset=$offset", ...$options);
        $names = json_decode($output, true);
        if ($status !== 0 || !is_array($names)) {
            fail("occ user:list ended with $status: $output");
        }
        foreach (array_keys($names) as $name) {
            $id = substr((string) $name, strlen($prefix));
            if (str_starts_with((string) $name, $prefix) && ctype_digit($id)) {
                $found[$id] = (string) $name;
            }
        }
        if (count($names) < PAGE) {
            return $found;
        }
    }
}

[$status, $self] = ask('user');
if ($status !== 200 || !is_int($self['id'] ?? null)) {
    refused('user', $status);
}

// Whom GitLab lists is not blocked. Only those whom it does not are asked for one by one, of which it takes few at a time.
$listed = [];
for ($page = 1; ; $page++) {
    $path = 'users?per_page=' . PAGE . "&page=$page";
    [$status, $people] = ask($path);
    if ($status !== 200 || !is_array($people)) {
        refused($path, $status);
    }
    foreach ($people as $person) {
        $listed[$person['id']] = $person['state'] ?? '';
    }
    if (count($people) < PAGE) {
        break;
    }
}

$disabled = accounts('--disabled');
$changed = 0;
$all = accounts() + $disabled;
foreach ($all as $id => $name) {
    $state = $listed[$id] ?? null;
    if ($state === null) {
        [$status, $person] = ask("users/$id");
        if ($status !== 404 && ($status !== 200 || ($person['id'] ?? null) !== (int) $id)) {
            refused("users/$id", $status);
        }
        $state = $status === 404 ? 'deleted' : ($person['state'] ?? '');
    }
    $is_blocked = $state === 'deleted' || in_array($state, BLOCKED, true);
    if ($is_blocked && !isset($disabled[$id])) {
        // First the mark: whoever is killed in between leaves an account that the next run disables.
        change('user:setting', $name, ...[...MARK, $state]);
        change('user:disable', $name);
        echo "$name is disabled: its user is $state in GitLab.\n";
        $changed++;
    } elseif (!$is_blocked && isset($disabled[$id]) && occ('user:setting', $name, ...MARK)[0] === 0) {
        change('user:enable', $name);
        change('user:setting', $name, ...[...MARK, '--delete']);
        echo "$name is enabled again: its user is $state in GitLab.\n";
        $changed++;
    }
}
echo count($all) . " accounts of the provider, $changed changed.\n";
