import { ports } from "../../catalogue/ports.ts";

/**
 * `nginx.conf` of the portal: files, and the user interface for every path that is none. It writes below /tmp alone.
 * (goharbor/harbor-helm templates/portal/configmap.yaml)
 */
export function portalFile(): string {
  return `worker_processes auto;
pid /tmp/nginx.pid;
error_log stderr warn;

events {
  worker_connections 1024;
}

http {
  include /etc/nginx/mime.types;
  default_type application/octet-stream;
  access_log off;
  client_body_temp_path /tmp/client_body;
  proxy_temp_path /tmp/proxy;
  fastcgi_temp_path /tmp/fastcgi;
  uwsgi_temp_path /tmp/uwsgi;
  scgi_temp_path /tmp/scgi;

  server {
    # A node without IPv6 would refuse [::].
    listen ${ports.hubPortal};
    server_name _;
    server_tokens off;
    root /usr/share/nginx/html;
    index index.html;

    gzip on;
    gzip_min_length 1000;
    gzip_proxied expired no-cache no-store private auth;
    gzip_types text/plain text/css text/xml text/javascript application/json application/javascript application/xml application/xml+rss;

    location /devcenter-api-2.0 {
      try_files $uri $uri/ /swagger-ui-index.html;
    }
    location / {
      try_files $uri $uri/ /index.html;
    }
    # Other files have a hash in their names; this one says which.
    location = /index.html {
      add_header Cache-Control "no-store, no-cache, must-revalidate";
    }
  }
}
`;
}
