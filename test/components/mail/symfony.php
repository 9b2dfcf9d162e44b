<?php
// A mail by Symfony's mailer, with what Nextcloud takes from its NC_ variables. (nextcloud/server lib/private/Mail/Mailer.php)
require '/usr/share/php/Symfony/Component/Mailer/autoload.php';
require '/usr/share/php/Symfony/Component/Mime/autoload.php';

use Symfony\Component\Mailer\Mailer;
use Symfony\Component\Mailer\Transport\Smtp\EsmtpTransport;
use Symfony\Component\Mime\Email;

function setting(string $key, string $default = ''): string
{
    $value = getenv("NC_mail_$key");
    return $value === false ? $default : $value;
}

function send_by_symfony(string $to, string $subject, string $text): void
{
    $transport = new EsmtpTransport(setting('smtphost'), (int) setting('smtpport', '25'), setting('smtpsecure') === 'ssl' ? true : null);
    if ((bool) setting('smtpauth')) {
        $transport->setUsername(setting('smtpname'));
        $transport->setPassword(setting('smtppassword'));
    }
    $email = (new Email())
        ->from(setting('from_address') . '@' . setting('domain'))
        ->to($to)
        ->subject($subject)
        ->text($text);
    (new Mailer($transport))->send($email);
}
