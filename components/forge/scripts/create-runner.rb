# frozen_string_literal: true

# Job: makes the instance's runner known to the forge, by `gitlab-rails runner`, and writes its token to the Secret that the runner mounts.
# A known runner keeps its token, so that the Job may run at any time; after a restore it has to.

require 'base64'
require 'json'
require 'net/http'

# The one Secret this Job may write, by the ServiceAccount of its pod.
class TokenSecret
  def initialize(namespace, name, key)
    @namespace, @name, @key = namespace, name, key
    @account = ENV.fetch('SERVICE_ACCOUNT', '/var/run/secrets/kubernetes.io/serviceaccount')
  end

  def write(value)
    response = server.request(patch(value))
    return if response.is_a?(Net::HTTPSuccess)

    abort "Secret #{@namespace}/#{@name} can't be written: #{response.code} #{reason(response)}"
  end

  private

  def server
    # No proxy: the API server is in the cluster.
    Net::HTTP.new(ENV.fetch('KUBERNETES_SERVICE_HOST'), ENV.fetch('KUBERNETES_SERVICE_PORT'), nil).tap do |http|
      http.use_ssl = true
      http.ca_file = File.join(@account, 'ca.crt')
      http.open_timeout = http.read_timeout = 30
    end
  end

  def patch(value)
    Net::HTTP::Patch.new(
      "/api/v1/namespaces/#{@namespace}/secrets/#{@name}?fieldManager=hearth-runner-registration",
      'Authorization' => "Bearer #{File.read(File.join(@account, 'token')).strip}",
      'Content-Type' => 'application/merge-patch+json',
      'Accept' => 'application/json'
    ).tap { |request| request.body = JSON.generate(data: { @key => Base64.strict_encode64(value) }) }
  end

  def reason(response)
    JSON.parse(response.body)['message']
  rescue JSON::ParserError
    response.message
  end
end

def create_runner(description, tags)
  administrator = ::User.admins.active.order(:id).first
  abort 'The forge has no active administrator, who alone may create a runner of the instance.' unless administrator

  response = ::Ci::Runners::CreateRunnerService.new(
    user: administrator,
    params: { runner_type: 'instance_type', description: description, tag_list: tags, run_untagged: true }
  ).execute
  abort "The forge refused the runner: #{response.message}" if response.error?

  response.payload[:runner]
end

description = ENV.fetch('RUNNER_DESCRIPTION')
tags = ENV.fetch('RUNNER_TAGS', '').split(',')
secret = TokenSecret.new(*%w[NAMESPACE NAME KEY].map { |part| ENV.fetch("RUNNER_SECRET_#{part}") })

runner = ::Ci::Runner.instance_type.where(description: description).order(:id).last
if runner
  runner.update!(tag_list: tags, run_untagged: true)
  puts "Runner #{description} is known already."
else
  runner = create_runner(description, tags)
  puts "Created runner #{description}."
end
secret.write(runner.token)
