import { OfficeEngine } from "./args.ts";

/**
 * Paths of the office servers that browsers need, as regular expressions of whole paths. All else is out of reach from outside:
 * administration by `kubectl port-forward`, conversions by the suite inside the cluster.
 *
 * A server decodes a path once more than its proxy does, and finds the administration behind `%2F`, `0x61646d…` or `?adminws`; so no
 * expression takes what could decode to another path.
 */

/** A file's or folder's name that means itself however often it is decoded. */
const name = "[\\w@-][\\w.@-]*";

/** The rest of a path: all but an encoded slash, backslash or percent sign. */
const rest = "(?:[^%]|%(?:2[0-46-9A-Ea-e]|5[0-9ABD-Fabd-f]|[013-46-9A-Fa-f][0-9A-Fa-f]))*";

/** Collabora's files have the hash of its version, or `dist`, before them. The settings page is the suite's, for its users. (wsd/FileServer.cpp, browser/Makefile.am) */
const collaboraFiles = [
  name,
  `(?:images|l10n|remote/static|src|welcome|admin/(?:css|font|images))/(?:${name}/)*${name}`,
  "admin/adminIntegratorSettings\\.html",
];

/** An open document is named by its whole encoded address. (browser/js/global.js; wsd/ClientRequestDispatcher.cpp, wsd/RequestDetails.cpp) */
const collaboraDocument = "https?%3[Aa]%2[Ff]%2[Ff][^/]+/(?:ws|insertfile|download/[^/]+)";

/** OnlyOffice's paths may have its version before them. (document-server-package ds-docservice.conf; server DocService/sources/server.js) */
const onlyofficeVersion = "(?:/\\d[\\w.-]*)?";

export const clientPaths: Readonly<Record<OfficeEngine, readonly string[]>> = {
  [OfficeEngine.collabora]: [
    "^/(?:favicon\\.ico|robots\\.txt)?$",
    "^/hosting/(?:discovery|capabilities)$",
    `^/browser/[0-9a-z]+/(?:${collaboraFiles.join("|")})$`,
    `^/cool/(?:clipboard|media|signature|${collaboraDocument})$`,
  ],
  [OfficeEngine.onlyoffice]: [
    "^/(?:robots\\.txt)?$",
    `^${onlyofficeVersion}/(?:web-apps|sdkjs|sdkjs-plugins|fonts|dictionaries|document-formats|document-templates)/${rest}$`,
    `^${onlyofficeVersion}/(?:doc|cache/files|downloadas|downloadfile|savefile|printfile|upload|uploadold)/${rest}$`,
    `^${onlyofficeVersion}/(?:plugins\\.json|themes\\.json|document_editor_service_worker\\.js)$`,
  ],
};
