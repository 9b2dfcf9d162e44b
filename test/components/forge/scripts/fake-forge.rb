# Stands in for the forge's Rails application below the scripts that `gitlab-rails runner` runs: the parts they use, kept in the file DATABASE.
# What the scripts ask of it stands under `calls`, in the words of the forge's API, which hands the same fields on to the same models and services;
# each is compared with GitLab's own client of that API (test/support/forge-api.ts). Beyond the API are an application's own columns:
# of Doorkeeper, `trusted` of gitlabhq config/initializers/doorkeeper.rb, and `organization_id` since 18.6.
require 'digest'
require 'json'

module Fake
  def self.database = File.exist?(ENV['DATABASE']) ? JSON.parse(File.read(ENV['DATABASE'])) : {}

  def self.save(table, rows)
    File.write(ENV['DATABASE'], JSON.generate(database.merge(table => rows)))
  end

  def self.call(operation, body)
    save('calls', database.fetch('calls', []) + [{ operation: operation, body: body }])
  end

  # A model with the few methods of ActiveRecord that the scripts call.
  class Record
    class << self
      attr_accessor :table, :columns

      def rows = Fake.database.fetch(table, [])
      def all = Relation.new(self, rows.map { |row| new(row) })
      def where(...) = all.where(...)
      def order(...) = all.order(...)
      def find_or_initialize_by(values) = where(**values).first || new(values.transform_keys(&:to_s))
    end

    attr_reader :row

    def initialize(row)
      @row = row
      @stored = row.key?('id') ? row.dup : {}
    end

    def assign_attributes(values) = values.each { |name, value| @row[name.to_s] = value }
    def has_attribute?(name) = self.class.columns.include?(name.to_s)
    def changed? = @row != @stored
    def respond_to_missing?(name, _) = has_attribute?(name.to_s.delete_suffix('='))
    def [](name) = @row[name.to_s]

    def save!
      others = self.class.rows.reject { |row| row['id'] == @row['id'] }
      @row['id'] ||= (others.map { |row| row['id'] }.max || 0) + 1
      Fake.save(self.class.table, (others + [@row]).sort_by { |row| row['id'] })
    end

    def update!(values)
      assign_attributes(values)
      save!
    end

    def destroy = Fake.save(self.class.table, self.class.rows.reject { |row| row['id'] == @row['id'] })

    def method_missing(name, *values)
      attribute = name.to_s.delete_suffix('=')
      raise NoMethodError, "no column #{attribute}" unless has_attribute?(attribute)

      name.end_with?('=') ? @row[attribute] = values.first : @row[attribute]
    end

    def respond_to_missing?(name, _ = false) = has_attribute?(name.to_s.delete_suffix('='))
  end

  Relation = Struct.new(:model, :records) do
    def where(**values)
      return self if values.empty?

      with(records.select { |record| values.all? { |name, value| record[name] == value } })
    end

    def not(**values) = with(records.reject { |record| values.all? { |name, value| record[name] == value } })
    def order(name) = with(records.sort_by { |record| record[name] })
    def first = records.first
    def last = records.last
    def active = where(state: 'active')
    def destroy_all = records.each(&:destroy)

    private

    def with(records) = self.class.new(model, records)
  end
end

# A hash with a salt, as another value each time.
module Hashed
  def self.store_secret(record, attribute, plain)
    salt = rand(10**9)
    record.public_send("#{attribute}=", "#{salt}:#{Digest::SHA256.hexdigest("#{salt}#{plain}")}")
  end
end

class FakeApplication < Fake::Record
  self.table = 'applications'
  self.columns = %w[id uid secret name redirect_uri scopes confidential trusted owner_id]
  self.columns += ['organization_id'] if ENV['ORGANIZATIONS']
  BEYOND_API = %w[id uid secret trusted owner_id organization_id]

  def save!
    Fake.call('CreateApplication', @row.except(*BEYOND_API))
    super
  end

  def secret_matches?(plain)
    salt, hash = secret&.split(':')
    !salt.nil? && hash == Digest::SHA256.hexdigest("#{salt}#{plain}")
  end
end

module Doorkeeper
  Config = Struct.new(:application_model, :application_secret_strategy)
  def self.config = Config.new(FakeApplication, Hashed)
end

class User < Fake::Record
  self.table = 'users'
  self.columns = %w[id admin state]
  def self.admins = where(admin: true)
end

module Ci
  class Runner < Fake::Record
    self.table = 'runners'
    self.columns = %w[id description runner_type token tag_list run_untagged creator]
    def self.instance_type = where(runner_type: 'instance_type')
  end

  module Runners
    class CreateRunnerService
      Response = Struct.new(:message, :payload) do
        def error? = !message.nil?
      end

      def initialize(user:, params:)
        @user, @params = user, params
      end

      def execute
        Fake.call('CreateUserRunner', @params)
        return Response.new('Insufficient permissions') if ENV['FORBIDDEN']

        row = @params.transform_keys(&:to_s).merge('token' => "glrt-t1_#{rand(10**9)}", 'creator' => @user.id)
        Response.new(nil, { runner: Runner.new(row).tap(&:save!) })
      end
    end
  end
end

class ApplicationSetting < Fake::Record
  self.table = 'settings'
  self.columns = %w[id signup_enabled default_project_visibility enabled_git_access_protocol gravatar_enabled]
  def self.current_without_cache = all.last
  def self.create_from_defaults = new({ 'signup_enabled' => true, 'default_project_visibility' => 0 })

  def update!(values)
    names = Gitlab::VisibilityLevel::NAMES
    Fake.call('UpdateSettings', values.to_h { |key, value| [key, key.end_with?('visibility') ? names.key(value) : value] })
    super
  end
end

module Gitlab
  module VisibilityLevel
    NAMES = { 'private' => 0, 'internal' => 10, 'public' => 20 }
    def self.level_value(name) = NAMES.fetch(name)
  end
end
