/** A call of a program to somebody outside of the platform, which nothing here needs. */
export interface OutwardCall {
  /** Name of the program. */
  readonly program: string;
  /** What is sent, and to whom, as a sentence without its end. */
  readonly sends: string;
  /** Upstream's own switches, as they are turned off. */
  readonly switches: readonly string[];
  /** Where upstream says so. */
  readonly source: string;
}

/** Every such call that can be turned off, by the name that turns it on in `hearth:privacy`. */
export const outwardCalls = {
  forgeServicePing: {
    program: "GitLab",
    sends: "Each week, counts of users, projects and features go to GitLab (Service Ping)",
    switches: ["usage_ping_enabled: false in gitlab.yml and among the settings"],
    source: "gitlabhq config/initializers/1_settings.rb",
  },
  forgeUsageEvents: {
    program: "GitLab",
    sends: "Single events of use, with pseudonyms of users and projects, go to GitLab (product usage data)",
    switches: [
      "GITLAB_PRODUCT_USAGE_DATA_ENABLED=false since 18.9",
      "gitlab_product_usage_data_enabled: false among the settings before it",
    ],
    source: "GitLab docs, administration/settings/event_data",
  },
  forgeVersionCheck: {
    program: "GitLab",
    sends: "The forge's version and address go to version.gitlab.com, which says whether there is a newer one",
    switches: ["version_check_enabled: false among the settings"],
    source: "GitLab docs, api/settings",
  },
  forgeRunnerReleases: {
    program: "GitLab",
    sends: "The list of the runner's releases is fetched from gitlab.com",
    switches: ["update_runner_versions_enabled: false among the settings"],
    source: "GitLab docs, api/settings; gitlabhq spec/lib/gitlab/ci/runner_releases_spec.rb",
  },
  forgeGravatar: {
    program: "GitLab",
    sends: "Browsers fetch users' pictures from gravatar.com, by a hash of the user's mail address",
    switches: ["gravatar_enabled: false among the settings"],
    source: "GitLab docs, administration/libravatar",
  },
  suiteUpdateCheck: {
    program: "Nextcloud",
    sends: "Its version, PHP's, the day of installation and roughly how many users it has go to updates.nextcloud.com",
    switches: ["'updatechecker' => false in config.php"],
    source: "nextcloud/server config/config.sample.php, lib/private/Updater/VersionCheck.php",
  },
  suiteSurvey: {
    program: "Nextcloud",
    sends: "Each month, statistics that an administrator agreed to go to stats.nextcloud.com",
    switches: ["the app survey_client is off"],
    source: "nextcloud/survey_client",
  },
  suiteLookupServer: {
    program: "Nextcloud",
    sends: "What users make public of their profile goes to lookup.nextcloud.com, which anybody can search",
    switches: ["'lookup_server' => '' in config.php"],
    source: "nextcloud/server config/config.sample.php",
  },
  officeUpdateCheck: {
    program: "Collabora",
    sends: "Every ten hours, the newest version is fetched from Collabora, and users are told of it",
    switches: ["--o:fetch_update_check=0", "--o:allow_update_popup=false"],
    source: "CollaboraOnline/online coolwsd.xml.in, wsd/COOLWSD.cpp",
  },
} as const satisfies Readonly<Record<string, OutwardCall>>;

/** What goes outside and can't be turned off, or would take with it what users need. */
export const remainingCalls: readonly { readonly program: string; readonly goes: string; readonly because: string }[] =
  [
    {
      program: "Nextcloud",
      goes: "The list of apps and their new versions, from apps.nextcloud.com",
      because:
        "`configure` installs the apps of the settings from there. `internet: false` of a suite ends this, together with mobile notifications and the check of leaked passwords",
    },
    {
      program: "Nextcloud",
      goes: "Notifications to mobile apps, through push-notifications.nextcloud.com",
      because: "The makers of the phones let only the makers of an app send to it. The content is encrypted",
    },
    {
      program: "Nextcloud",
      goes: "The first five characters of a new password's hash, to api.pwnedpasswords.com",
      because: "It refuses leaked passwords. Turn it off in the settings of the app `password_policy`",
    },
    {
      program: "Collabora",
      goes: "A page that asks users for their opinion",
      because: "It is built into the image `code`. Its switch `home_mode` also limits the server to 20 connections",
    },
    {
      program: "OnlyOffice",
      goes: "Google Analytics in the editor's pages, and plugins from its makers' list",
      because:
        "Its image has no switch for the first that we know of ([issue 3696](https://github.com/ONLYOFFICE/DocumentServer/issues/3696))",
    },
  ];

export type OutwardCallName = keyof typeof outwardCalls;
