# Calls the web pods' initializer as Rails does, each line of standard input one request to a forge that answers as that line says:
# {"path", "query", "status", "headers", "body"}; prints what the caller gets and what the forge was asked.
require 'json'

module Rails
  def self.application = self
  def self.config = self
  def self.middleware = self
  def self.insert_before(place, middleware) = (@first = middleware if place.zero?)
  def self.first = @first
end

load ARGV.fetch(0)

# What a server hands over: read piece by piece, then closed.
Body = Struct.new(:text, :closed) do
  def each = text.each_char { |character| yield character }
  def close = self.closed = true
end

$stdin.each_line do |line|
  request = JSON.parse(line)
  asked = nil
  body = Body.new(request['body'], false)
  forge = lambda do |env|
    asked = "#{env['PATH_INFO']}?#{env['QUERY_STRING']}"
    [request['status'], request['headers'], body]
  end
  env = { 'PATH_INFO' => request['path'], 'QUERY_STRING' => request.fetch('query', '') }
  status, headers, answer = Rails.first.new(forge).call(env)
  text = +''
  answer.each { |part| text << part }
  puts JSON.generate(asked: asked, status: status, headers: headers, body: text, closed: body.closed)
end
