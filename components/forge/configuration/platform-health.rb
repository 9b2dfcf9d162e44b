# Rails initializer of the web pods. /-/health answers as /-/readiness?all=1 does, which asks database, keystore and git store; by itself it
# says "GitLab OK" as long as the web server runs. What is not ready says why in one `message`, as a check alone may have it.
require 'json'

class PlatformHealth
  HEALTH = '/-/health'.freeze
  READINESS = '/-/readiness'.freeze

  def initialize(app)
    @app = app
  end

  def call(env)
    env.update('PATH_INFO' => READINESS, 'QUERY_STRING' => 'all=1') if env['PATH_INFO'] == HEALTH
    status, headers, body = @app.call(env)
    return [status, headers, body] unless status >= 500 && env['PATH_INFO'] == READINESS

    # The length is no longer the same; the web server counts it anew.
    [status, headers.reject { |name, _| name.casecmp?('content-length') }, [with_message(text(body))]]
  end

  private

  def text(body)
    text = +''
    body.each { |part| text << part }
    text
  ensure
    body.close if body.respond_to?(:close)
  end

  def with_message(text)
    report = JSON.parse(text)
    return text unless report.is_a?(Hash) && !report.key?('message')

    checks = report.values.grep(Array).flatten.grep(Hash)
    JSON.generate(report.merge('message' => checks.filter_map { |check| check['message'] }.join('; ')))
  rescue JSON::ParserError
    text
  end
end

Rails.application.config.middleware.insert_before(0, PlatformHealth)
