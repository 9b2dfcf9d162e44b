import { cacheConfiguration, sessionsConfiguration } from "@hearth-platform/hearth/cloudsuite/config/keystore";
import { objectStoreConfiguration } from "@hearth-platform/hearth/cloudsuite/config/object-store";
import { phpConfiguration } from "@hearth-platform/hearth/cloudsuite/config/php";
import {
  appsConfiguration,
  domainConfiguration,
  serverConfiguration,
} from "@hearth-platform/hearth/cloudsuite/config/server";
import { configurationFiles, passingKeys } from "@hearth-platform/hearth/cloudsuite/configuration";
import { describe, expect, test } from "vitest";
import { resolvedSuite } from "../../support/plans.ts";
import { completeSuite, onPlatform } from "./suite.ts";

const keystore = { host: "keystore.team.svc", port: 6379, password: { name: "keystore-password", key: "password" } };

describe("a PHP configuration file", () => {
  test("holds text in single quotes, in which nothing is interpreted", () => {
    expect(phpConfiguration({ text: "it's a \\ and $HOME <?php ?>" })).toBe(
      "<?php\n$CONFIG = [\n  'text' => 'it\\'s a \\\\ and $HOME <?php ?>',\n];\n",
    );
  });

  test("ends without output: no closing tag, one line break", () => {
    for (const [name, content] of Object.entries(configurationFiles(resolvedSuite(completeSuite))).filter(([name]) =>
      name.endsWith(".php"),
    )) {
      expect(content, name).toMatch(/^<\?php\n\$CONFIG = \[\n/);
      expect(content, name).toMatch(/\n\];\n$/);
    }
  });
});

test("every file of the directory is there, the one that keeps it from being served too", () => {
  expect(Object.keys(configurationFiles(resolvedSuite(completeSuite)))).toEqual([
    ".htaccess",
    "apps.config.php",
    "cache.config.php",
    "domain.config.php",
    "object-store.config.php",
    "server.config.php",
  ]);
  expect(configurationFiles(resolvedSuite(completeSuite))[".htaccess"]).toBe("Require all denied\n");
});

test("apps of the image can't be changed, those of the store can", () => {
  expect(appsConfiguration()).toBe(`<?php
$CONFIG = [
  'apps_paths' => [
    [
      'path' => OC::$SERVERROOT . '/apps',
      'url' => '/apps',
      'writable' => false,
    ],
    [
      'path' => OC::$SERVERROOT . '/custom_apps',
      'url' => '/custom_apps',
      'writable' => true,
    ],
  ],
];
`);
});

describe("cache", () => {
  test("is the keystore for what pods share, file locks included", () => {
    expect(cacheConfiguration(keystore)).toBe(`<?php
$CONFIG = [
  'memcache.local' => '\\\\OC\\\\Memcache\\\\APCu',
  'memcache.distributed' => '\\\\OC\\\\Memcache\\\\Redis',
  'memcache.locking' => '\\\\OC\\\\Memcache\\\\Redis',
  'redis' => [
    'host' => 'keystore.team.svc',
    'port' => 6379,
    'dbindex' => 1,
    'password' => getenv('KEYSTORE_PASSWORD'),
  ],
];
`);
  });

  test("signs in only where the keystore asks for it", () => {
    const open = { host: "keystore.team.svc", port: 6379 };
    expect(cacheConfiguration(open)).not.toContain("password");
    expect(sessionsConfiguration(open)).toContain('"tcp://keystore.team.svc:6379?database=2"');
  });
});

test("sessions are in the keystore; PHP puts the password in from the environment", () => {
  expect(sessionsConfiguration(keystore)).toBe(`session.save_handler = redis
session.save_path = "tcp://keystore.team.svc:6379?database=2&auth=\${KEYSTORE_PASSWORD}"
redis.session.locking_enabled = 1
redis.session.lock_retries = -1
redis.session.lock_wait_time = 10000
`);
});

test("the domain is trusted and named in links, and the proxies before it are believed", () => {
  expect(domainConfiguration("cloud.example.org", ["10.0.0.0/8", "fd00::/8"])).toBe(`<?php
$CONFIG = [
  'trusted_domains' => [
    'cloud.example.org',
  ],
  'overwrite.cli.url' => 'https://cloud.example.org',
  'trusted_proxies' => [
    '10.0.0.0/8',
    'fd00::/8',
  ],
];
`);
});

describe("object store", () => {
  const store = {
    endpoint: "https://fsn1.your-objectstorage.com",
    region: "fsn1",
    pathStyle: true,
    credentials: "cloudsuite-s3-credentials",
  };

  test("is the data bucket as primary storage, never made by Nextcloud, without its keys, which the SDK has from the environment", () => {
    expect(objectStoreConfiguration(store, "data-team-a1b2")).toBe(`<?php
$CONFIG = [
  'objectstore' => [
    'class' => '\\\\OC\\\\Files\\\\ObjectStore\\\\S3',
    'arguments' => [
      'bucket' => 'data-team-a1b2',
      'region' => 'fsn1',
      'hostname' => 'fsn1.your-objectstorage.com',
      'port' => 443,
      'use_ssl' => true,
      'use_path_style' => true,
      'autocreate' => false,
      'key' => '',
      'secret' => '',
    ],
  ],
];
`);
  });

  test("takes host, port and encryption from the endpoint's URL", () => {
    const plain = objectStoreConfiguration({ ...store, endpoint: "http://s3.local:7070" }, "data-team-a1b2");
    expect(plain).toContain("'hostname' => 's3.local',\n      'port' => 7070,\n      'use_ssl' => false,");
  });
});

test("the server has addresses without index.php, upgrades not from the browser, and heavy jobs at night", () => {
  const { privacy } = resolvedSuite(completeSuite).platform;
  expect(serverConfiguration({ ...privacy, suiteUpdateCheck: true, suiteLookupServer: true }, true)).toBe(`<?php
$CONFIG = [
  'htaccess.RewriteBase' => '/',
  'upgrade.disable-web' => true,
  'maintenance_window_start' => 1,
  'serverid' => hexdec(substr(hash('xxh32', gethostname()), -3)) & 0x1FF,
];
`);
});

test("the server neither looks for new versions nor tells of users, unless the stack turns that on", () => {
  const { privacy } = resolvedSuite(completeSuite).platform;
  const configuration = serverConfiguration(privacy, true);
  expect(configuration).toContain("'updatechecker' => false,\n  'lookup_server' => '',");
  expect(serverConfiguration({ ...privacy, suiteLookupServer: true }, true)).not.toContain("lookup_server");
});

test("a suite without internet is told so by a real boolean, since a setup check takes nothing else", () => {
  const { privacy } = resolvedSuite(completeSuite).platform;
  expect(serverConfiguration(privacy, false)).toContain("'has_internet_connection' => false,\n");
});

describe("keys that follow from a setting which may go away", () => {
  test("are those of the settings alone", () => {
    expect(passingKeys(resolvedSuite(completeSuite))).toEqual(["updatechecker", "lookup_server"]);
    const privacy = { suiteUpdateCheck: true, suiteLookupServer: true };
    expect(passingKeys(resolvedSuite(onPlatform(completeSuite, { privacy })))).toEqual([]);
  });

  test("are each in a file", () => {
    const args = resolvedSuite({
      ...completeSuite,
      internet: false,
      appsImage: "registry.example.org/apps:1.0",
      signOn: { issuer: "https://id.example.org" },
    });
    const files = Object.values(configurationFiles(args)).join("");
    expect(passingKeys(args)).toHaveLength(5);
    for (const key of passingKeys(args)) expect(files).toContain(`  '${key}' => `);
  });
});
