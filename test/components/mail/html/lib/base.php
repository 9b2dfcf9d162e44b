<?php
// Stands in for Nextcloud where a script uses its mailer: the calls are upstream's, the mail is sent for real. As upstream, it answers with the
// recipients of a mail that the server did not take, and keeps the reason. (nextcloud/server lib/public/Mail/IMailer.php)
namespace OCP\Mail {
    interface IMailer
    {
    }
}

namespace OCP {
    final class Server
    {
        public static function get(string $class): object
        {
            return match ($class) {
                Mail\IMailer::class => new \StandIn\Mailer(),
            };
        }
    }
}

namespace StandIn {
    require __DIR__ . '/../../symfony.php';

    final class Message
    {
        public array $to = [];
        public string $subject = '';
        public string $body = '';

        public function setTo(array $recipients): self
        {
            $this->to = $recipients;
            return $this;
        }

        public function setSubject(string $subject): self
        {
            $this->subject = $subject;
            return $this;
        }

        public function setPlainBody(string $body): self
        {
            $this->body = $body;
            return $this;
        }
    }

    final class Mailer implements \OCP\Mail\IMailer
    {
        public function createMessage(): Message
        {
            return new Message();
        }

        /** @return list<string> */
        public function send(Message $message): array
        {
            try {
                \send_by_symfony($message->to[0], $message->subject, $message->body);
                return [];
            } catch (\Symfony\Component\Mailer\Exception\TransportExceptionInterface $failure) {
                return $message->to;
            }
        }
    }
}
