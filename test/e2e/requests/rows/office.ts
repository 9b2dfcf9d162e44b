import { collaboraRequests, onlyofficeRequests } from "@hearth-platform/cli/smoke/requests";
import { host, type Row } from "../row.ts";
import { backends } from "../stacks.ts";

const collabora = host("office.team.example.org");
const document = encodeURIComponent(
  "https://team.example.org/index.php/apps/richdocuments/wopi/files/1_oc?access_token=a/b%2F&access_token_ttl=0",
);
const source = encodeURIComponent("https://team.example.org/index.php/apps/richdocuments/wopi/files/1_oc");

/** What coolwsd decodes of `/cool/0x…/`. */
const hex = (text: string) => `0x${Buffer.from(text).toString("hex")}`;

/** Collabora: what browsers open, and none of its administration in any spelling. */
export const collaboraRows: readonly Row[] = [
  ...collabora.asked(collaboraRequests, { office: backends.teamOffice }),
  ...collabora.to(
    backends.teamOffice,
    "/favicon.ico",
    "/robots.txt",
    "/browser/0123abcdef/cool.html?WOPISrc=x&lang=de",
    "/browser/dist/cool.html",
    "/browser/0123abcdef/bundle.js",
    "/browser/0123abcdef/branding-desktop.css",
    "/browser/0123abcdef/images/dark/lc_bold.svg",
    "/browser/0123abcdef/l10n/uno/zh-TW.json",
    "/browser/0123abcdef/l10n/ui-ca@valencia.json",
    "/browser/0123abcdef/welcome/welcome.html",
    "/browser/0123abcdef/remote/static/lokit-extra-img.svg",
    "/browser/0123abcdef/src/app/TaskWorker.js",
    "/browser/0123abcdef/admin/adminIntegratorSettings.html?type=user",
    "/browser/0123abcdef/admin/css/adminIntegratorSettings.css",
    "/browser/0123abcdef/admin/images/Compact.svg",
    "/browser/0123abcdef/admin-bundle.js",
    "/browser/dist/upload-settings",
    "/cool/clipboard?WOPISrc=x&ServerId=1&ViewId=0&Tag=a",
    "/cool/media?WOPISrc=x&Tag=a",
    "/cool/signature?WOPISrc=x",
    `/cool/${document}/download/1a2b?WOPISrc=${source}`,
  ),
  collabora.row("/browser/0123abcdef/cool.html", { method: "POST", body: 200 }, { backend: backends.teamOffice }),
  collabora.row(
    `/cool/${document}/insertfile?WOPISrc=${source}`,
    { method: "POST", body: 1_000_000 },
    { backend: backends.teamOffice },
  ),
  collabora.row(
    `/cool/${document}/ws?WOPISrc=${source}&compat=/ws`,
    { webSocket: true },
    { backend: backends.teamOffice },
  ),
  collabora.row(
    `/cool/ws?WOPISrc=${source}&access_token=x&compat=`,
    { webSocket: true },
    { backend: backends.teamOffice },
  ),
  collabora.row(
    "/",
    {},
    { backend: backends.teamOffice, headers: { "strict-transport-security": "max-age=15552000" } },
    "once by HTTPS",
  ),
  ...collabora.nowhere(
    "/browser/0123abcdef/admin/admin.html",
    "/browser/dist/admin/adminSettings.html",
    "/browser/dist/admin/adminClusterOverview.html",
    "/browser/dist//admin/admin.html",
    "/browser/dist/%61dmin/admin.html",
    "/browser/dist%2Fadmin/admin.html",
    "/browser/dist/admin%2Fadmin.html",
    "/browser/dist/images/../admin/admin.html",
    "/browser/dist/images/%2e%2e/admin/admin.html",
    "/browser/dist/images/..%2Fadmin/admin.html",
    "/browser/dist/images/..%2fadmin%2fadmin.html",
    "/browser/dist/images/%252e%252e/admin/admin.html",
    "/cool/adminws/",
    "/cool//adminws",
    "/cool/%61dminws",
    "/cool/?adminws",
    "/cool/?getMetrics",
    `/cool/${hex("adminws")}/`,
    `/cool/${hex("getMetrics")}/`,
    `/cool/${hex("adminws/x")}/ws`,
    `/cool/${hex("https://team.example.org")}/ws`,
    "/cool/adminws/ws",
    `/cool/${hex("adminws")}/ws?WOPISrc=${source}`,
    `/x/cool/${hex("adminws")}/`,
    "/cool/get-thumbnail",
    "/cool/extract-document-structure",
    "/cool/render-search-result",
    "/lool/convert-to/pdf",
    "/hosting/wopiAccessCheck",
    "/hosting/",
    "/hosting/?discovery",
    "/wopi/files/1",
    "/wopi/settings/config.json",
    "/wasm/x",
  ),
  collabora.row("/cool/adminws", { webSocket: true }, {}),
  collabora.row(`/cool/${hex("adminws")}/`, { webSocket: true }, {}),
];

const onlyoffice = host("office.paper.example.org");
const version = "/9.0.4-0123456789abcdef0123456789abcdef";

/** OnlyOffice: what browsers open, with its version before it and without. */
export const onlyofficeRows: readonly Row[] = [
  ...onlyoffice.asked(onlyofficeRequests, { office: backends.paperOffice }),
  ...onlyoffice.to(backends.paperOffice, `${version}/web-apps/apps/api/documents/api.js`),
  ...["", version].flatMap((before) =>
    onlyoffice.to(
      backends.paperOffice,
      `${before}/web-apps/apps/documenteditor/main/index.html?_dc=1&lang=de`,
      `${before}/sdkjs/common/AllFonts.js`,
      `${before}/sdkjs-plugins/v1/plugins.js`,
      `${before}/fonts/001`,
      `${before}/dictionaries/de_DE/de_DE.dic`,
      `${before}/doc/1a2b_c/c/?EIO=4&transport=polling`,
      `${before}/downloadas/1a2b?cmd=%7B%7D`,
      `${before}/upload/1a2b`,
      `${before}/plugins.json`,
      `${before}/themes.json`,
    ),
  ),
  ...onlyoffice.to(
    backends.paperOffice,
    "/",
    "/robots.txt",
    "/cache/files/data/1a2b/output.docx/A%20%26%20B.docx?md5=x&expires=1&filename=A%20%26%20B.docx",
    "/doc/a%3Db/c/?EIO=4",
    "/document_editor_service_worker.js",
  ),
  onlyoffice.row("/doc/1a2b/c/?EIO=4&transport=websocket", { webSocket: true }, { backend: backends.paperOffice }),
  onlyoffice.row("/savefile/1a2b", { method: "POST", body: 1_000_000 }, { backend: backends.paperOffice }),
  ...onlyoffice.nowhere(
    "/INFO/info.json",
    `${version}/info/info.json`,
    "/internal/cluster/inactive",
    `${version}/internal/cluster/inactive`,
    "/example/",
    "/welcome/",
    "/converter",
    "/command",
    "/docbuilder",
    "/healthcheck",
    "/hosting/discovery",
    "/web-apps%2F..%2Finfo/info.json",
    "/web-apps/..%2Finfo/info.json",
    "/web-apps/../info/info.json",
    "/web-apps/%2e%2e/info/info.json",
    "/web-apps/%252e%252e%252finfo/info.json",
    "/doc/..%2fadmin",
  ),
];
