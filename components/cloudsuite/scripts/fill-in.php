<?php
// Prints a JSON file (first argument) with each ${NAME} replaced by the environment variable NAME, encoded for a JSON string.

$filled = preg_replace_callback('/\$\{(\w+)\}/', function (array $match): string {
    $value = getenv($match[1]);
    if ($value === false) {
        fwrite(STDERR, "The environment variable {$match[1]} is not set.\n");
        exit(1);
    }
    return substr(json_encode($value, JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES), 1, -1);
}, file_get_contents($argv[1]));
json_decode($filled, flags: JSON_THROW_ON_ERROR);
echo $filled;
