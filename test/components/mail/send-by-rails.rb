# Sends a mail as Rails does with the settings file named first: real ActionMailer. Arguments: file, sender.
require 'action_mailer'

module Rails
  def self.application = self
  def self.config = self
  def self.action_mailer = @action_mailer ||= Struct.new(:delivery_method).new
end

settings, sender = ARGV
load settings
ActionMailer::Base.mail(from: sender, to: 'member@example.org', subject: 'Hello', body: 'From the forge.').deliver_now
