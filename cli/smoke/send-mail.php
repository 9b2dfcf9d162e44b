<?php
// Sends a test mail as Nextcloud sends every other, to the address that is the argument: what the button of its settings page does, which
// has no command. (nextcloud/server apps/settings/lib/Controller/MailSettingsController.php, lib/private/Mail/Mailer.php)

try {
    require_once (getenv('HTML') ?: '/var/www/html') . '/lib/base.php';
    $mailer = \OCP\Server::get(\OCP\Mail\IMailer::class);
    $message = $mailer->createMessage();
    $message->setTo([$argv[1]]);
    $message->setSubject('Test mail of ' . getenv('NC_overwritehost'));
    $message->setPlainBody("hearth smoke sent this mail, so the suite's mail works.\n");
    if ($mailer->send($message) !== []) {
        throw new Exception('The mail server did not take it. Nextcloud logs the reason, at log level 0.');
    }
} catch (Throwable $failure) {
    // Without its trace, which has the arguments of calls.
    fwrite(STDERR, $failure->getMessage() . "\n");
    exit(1);
}
