<?php
// Sends a mail as a suite does.
require __DIR__ . '/symfony.php';

send_by_symfony('member@example.org', 'Hello', 'From the suite.');
