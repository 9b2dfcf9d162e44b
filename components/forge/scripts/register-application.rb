# frozen_string_literal: true

# Job: registers an application that signs on with the forge, by `gitlab-rails runner`. A registered one stays as it is, so that the Job may
# run at any time; after a restore it has to.

folder = ENV.fetch('APPLICATION_FOLDER', '/hearth/application')
id, secret = %w[client-id client-secret].map { |name| File.read(File.join(folder, name)).strip }
name = ENV.fetch('APPLICATION_NAME')
redirect_uri = ENV.fetch('APPLICATION_REDIRECT_URI')

applications = ::Doorkeeper.config.application_model
application = applications.find_or_initialize_by(uid: id)
application.assign_attributes(
  name: name,
  redirect_uri: redirect_uri,
  scopes: ENV.fetch('APPLICATION_SCOPES'),
  confidential: true,
  # Users are not asked whether the platform's own application may know who they are.
  trusted: true
)
# Applications belong to an organization since 18.6.
application.organization_id ||= 1 if application.has_attribute?(:organization_id)
# The forge keeps only a hash: another one each time it is stored.
unless application.secret_matches?(secret)
  ::Doorkeeper.config.application_secret_strategy.store_secret(application, :secret, secret)
end
changed = application.changed?
application.save!

# A raised revision makes another id: the former one must not sign on any more.
former = applications.where(name: name, redirect_uri: redirect_uri, owner_id: nil).where.not(uid: id).destroy_all

puts changed ? "Registered #{name}." : "#{name} is registered already."
puts "Removed #{former.size} former registration(s) of #{name}." if former.any?
