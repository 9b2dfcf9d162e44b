# Renders the templates named on standard input as the images' set-config does, all in one process, and tells what Ruby reads in them:
# {"<path>": {"text": …, "data": …}}. YAML is read as Rails reads its configuration; of the mail settings, what they set.
require 'erb'
require 'json'
require 'yaml'

module Rails
  def self.application = self
  def self.config = self
  def self.action_mailer = @action_mailer ||= Struct.new(:delivery_method).new
end

module ActionMailer
  class Base
    class << self
      attr_accessor :delivery_method, :smtp_settings
    end
  end
end

def data(path, text)
  if path.include?('.yml')
    YAML.safe_load(text)
  elsif path.end_with?('smtp_settings.rb')
    eval(text, TOPLEVEL_BINDING, path) # rubocop:disable Security/Eval
    ActionMailer::Base.smtp_settings.merge(method: Rails.application.config.action_mailer.delivery_method)
  end
end

rendered = JSON.parse($stdin.read).to_h do |path|
  text = File.read(path)
  text = ERB.new(text).result if path.end_with?('.erb')
  [path, { text: text, data: data(path, text) }]
end
puts JSON.generate(rendered)
