/** `.htaccess` of the configuration directory: no file of it is ever served. The image ships one, which the mounted files displace. */
export const configurationHtaccess = "Require all denied\n";
