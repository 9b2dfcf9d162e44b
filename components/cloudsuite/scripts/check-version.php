<?php
// Compares the version on the volume (first argument: its version.php; where config.php alone was restored, that) with the image's (second).
// Exit status 1, with the remedy, where the image may not start on that data: the rules of the image's entrypoint, which otherwise ends in a
// crash loop.

/** Version that a file of either kind names; none: the file is of no installed suite. */
function suiteVersion(string $file): array {
    require $file;
    return $OC_Version ?? explode('.', $CONFIG['version'] ?? '');
}

[$volume, $image] = [suiteVersion($argv[1]), suiteVersion($argv[2])];
if ($volume === ['']) {
    exit(0);
}
[$from, $to] = [implode('.', $volume), implode('.', $image)];

if (version_compare($to, $from) < 0) {
    fwrite(STDERR, "The data is of version $from, newer than the image's $to, and can't be downgraded.\n");
    fwrite(STDERR, "Set versions.cloudsuite to $from or newer.\n");
    exit(1);
}
if ($image[0] > $volume[0] + 1) {
    $next = $volume[0] + 1;
    fwrite(STDERR, "The data is of version $from and the image $to, but an upgrade goes one major at a time.\n");
    fwrite(STDERR, "Set versions.cloudsuite to the latest $next first.\n");
    exit(1);
}
