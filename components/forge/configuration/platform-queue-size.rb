# Rails initializer of the job pods: worker_queue_size, the jobs that wait in each queue. Each pod says the same number.
require 'sidekiq/api'

class PlatformQueueSize
  SECONDS = 15

  def initialize
    @size = Gitlab::Metrics.gauge(:worker_queue_size, 'Jobs that wait in a queue', {}, :max)
  end

  def measure
    Sidekiq::Queue.all.each { |queue| @size.set({ queue: queue.name }, queue.size) }
  rescue StandardError => e
    # The keystore is away for a moment: the next measurement comes soon.
    Sidekiq.logger.warn("worker_queue_size: #{e.class}")
  end

  def run
    Thread.new do
      loop do
        measure
        sleep SECONDS
      end
    end
  end
end

Sidekiq.configure_server do |config|
  config.on(:startup) { PlatformQueueSize.new.run }
end
