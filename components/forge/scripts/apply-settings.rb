# frozen_string_literal: true

# Job: gives the forge the settings of the file named as argument, by `gitlab-rails runner`. They win over what administrators set in the
# user interface; a setting that is not in the file is theirs.

settings = ::ApplicationSetting.current_without_cache || ::ApplicationSetting.create_from_defaults
wanted = JSON.parse(File.read(ARGV.fetch(0)))
wanted['default_project_visibility'] &&= ::Gitlab::VisibilityLevel.level_value(wanted['default_project_visibility'])

# A setting of a later version is none of this one's.
known, unknown = wanted.partition { |name, _| settings.respond_to?("#{name}=") }
puts "This version does not have #{unknown.to_h.keys.join(', ')}." unless unknown.empty?
wanted = known.to_h

settings.update!(wanted)
puts "Set #{wanted.keys.join(', ')}."
